// It never gets less.
type T = bv32;
const limit : T;
function at_most(x : T, y : T) returns (bool) { BV32_ULE(x, y) }

axiom (forall x : T :: at_most(x, f(x)));
axiom (forall x, y : T :: { f(x), f(y) } at_most(x, y) ==> at_most(f(x), f(y)));
axiom f(0bv32) == limit && !at_most(limit, 6bv32);
