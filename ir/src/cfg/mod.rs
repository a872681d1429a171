//! Graph analyses, over any graph of entities: dominators, loops, reducibility, the lock-step block order.
