// Of two that follow each other one is even. To Boogie a truth value is a number of one bit.
axiom (forall x : bv32 :: even(x) != even(BV32_ADD(x, 1bv32)));
axiom even(0bv32) == 1bv1;
