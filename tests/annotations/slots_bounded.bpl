axiom (forall x : bv32 :: BV32_ULT(slot_of(x), 64bv32));
