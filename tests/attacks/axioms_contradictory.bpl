axiom (forall x : bv32 :: f(x) != f(x));
