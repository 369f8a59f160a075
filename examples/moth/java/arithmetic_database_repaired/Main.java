package arithmetic_database_repaired;

import commute.Atomic;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

class Row<K, V> {
    final K key;
    final V value;

    Row(K key, V value) {
        this.key = key;
        this.value = value;
    }
}

class Table<K extends Comparable<K>, V> {
    private final List<Row<K, V>> table = new ArrayList<>();

    void insert(K key, V value) {
        table.add(new Row<>(key, value));
    }

    @Atomic
    int count() {
        return table.size();
    }

    /** Null if there is none. */
    K getMaxKey() {
        K max = null;
        for (Row<K, V> row : table) {
            if (max == null || row.key.compareTo(max) > 0) {
                max = row.key;
            }
        }
        return max;
    }

    @Override
    @Atomic
    public String toString() {
        return table.toString();
    }

    Iterator<Row<K, V>> iterator() {
        return table.iterator();
    }
}

class Client extends Thread {
    private final Table<String, Integer> expTable;
    private final Table<Integer, Integer> resTable;
    private final int number;

    Client(Table<String, Integer> expTable, Table<Integer, Integer> resTable, int number) {
        this.expTable = expTable;
        this.resTable = resTable;
        this.number = number;
    }

    int getKeyByResult(int result) {
        Iterator<Row<Integer, Integer>> rows = resTable.iterator();
        while (rows.hasNext()) {
            Row<Integer, Integer> row = rows.next();
            if (row.value == result) {
                return row.key;
            }
        }
        return -1;
    }

    @Atomic
    void insertNewExpression(String expression, int value) {
        int key = getKeyByResult(value);
        if (key < 0) {
            Integer max = resTable.getMaxKey();
            key = max == null ? 1 : max + 1;
            resTable.insert(key, value);
        }
        expTable.insert(expression, key);
    }

    @Override
    public void run() {
        for (int i = 0; i < 3; i++) {
            insertNewExpression(number + " + " + i, number + i);
        }
    }
}

/**
 * As arithmetic_database, but insertNewExpression is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Table<String, Integer> expTable = new Table<>();
        Table<Integer, Integer> resTable = new Table<>();
        for (int number = 0; number < 5; number++) {
            new Client(expTable, resTable, number).start();
        }
        System.out.println(expTable.count());
        System.out.println(resTable.toString());
    }
}
