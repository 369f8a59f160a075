//! Tests of which it is known how many outcomes they have.

use commute_workloads::programs::*;

macro_rules! tests {
    ($($function:ident: $($name:ident = $n:literal),*;)*) => {
        $($(
            #[commute::test]
            fn $name() {
                $function($n);
            }
        )*)*
    };
}

tests! {
    counter: counter_4 = 4, counter_5 = 5, counter_6 = 6, counter_7 = 7, counter_50 = 50;
    locked: locked_2 = 2, locked_3 = 3, locked_4 = 4;
    set_add: set_add_4 = 4, set_add_5 = 5, set_add_6 = 6, set_add_7 = 7;
    set_seek: set_seek_4 = 4, set_seek_5 = 5, set_seek_6 = 6, set_seek_7 = 7;
    set_add_size: set_add_size_4 = 4, set_add_size_5 = 5, set_add_size_6 = 6, set_add_size_7 = 7,
        set_add_size_50 = 50;
    uf_find: uf_find_4 = 4, uf_find_5 = 5, uf_find_6 = 6, uf_find_7 = 7;
    uf_mixed: uf_mixed_4 = 4, uf_mixed_5 = 5, uf_mixed_6 = 6, uf_mixed_7 = 7;
    ht_put: ht_put_4 = 4, ht_put_5 = 5, ht_put_6 = 6, ht_put_7 = 7;
    ht_mixed: ht_mixed_2 = 2, ht_mixed_3 = 3, ht_mixed_4 = 4, ht_mixed_5 = 5;
    fkp2013: fkp2013_4 = 4, fkp2013_5 = 5, fkp2013_6 = 6, fkp2013_7 = 7, fkp2013_50 = 50;
}
