// Each slot is one of 64, and can be traced back to what it was made of.
type T = bv32;

function {:bvbuiltin "bvult"} LESS(T, T) : bool;
function origin(T) : T;

axiom (forall x : T :: { slot_of(x) } LESS(slot_of(x), 64bv32));
axiom (forall x : T :: { slot_of(x) } origin(slot_of(x)) == x);
