package store_repaired;

import commute.Atomic;
import java.util.Vector;

class Order {
    final int product;
    final int amount;

    Order(int product, int amount) {
        this.product = product;
        this.amount = amount;
    }
}

class StoreProduct {
    int n = 1;
    boolean soldOut;
    final int price;

    StoreProduct(int price) {
        this.price = price;
    }

    boolean isConsistent() {
        return (n == 0) == soldOut;
    }

    void incNumber(int by) {
        n += by;
    }

    void setSoldOutA(boolean soldOut) {
        this.soldOut = soldOut;
    }

    void sell(int amount) {
        n -= amount;
        if (n <= 0) {
            n = 0;
            soldOut = true;
        }
    }
}

class Store {
    static final Vector<Order> orders = new Vector<>();
    static final StoreProduct[] products = new StoreProduct[3];
    static final Vector<Integer> log = new Vector<>();
    static boolean inited;

    static void init() {
        for (int i = 0; i < products.length; i++) {
            products[i] = new StoreProduct(5 * i + 5);
        }
        inited = true;
    }

    /** Not atomic. */
    static void addOrder(Order order) {
        orders.addElement(order);
    }

    static boolean hasOrders() {
        return !orders.isEmpty();
    }

    static Order getOrder() {
        return orders.remove(0);
    }
}

class Client extends Thread {
    private final int number;

    Client(int number) {
        this.number = number;
    }

    @Override
    public void run() {
        for (int amount = 1; amount < 4; amount++) {
            Store.addOrder(new Order(number, amount));
        }
    }
}

class Worker extends Thread {
    void treateOrder() {
        Order order = Store.getOrder();
        StoreProduct product = Store.products[order.product];
        product.sell(order.amount);
        Store.log.addElement(order.amount * product.price);
    }

    @Atomic
    void round() {
        if (Store.hasOrders()) {
            treateOrder();
        }
    }

    @Override
    public void run() {
        for (int i = 0; i < 5; i++) {
            round();
        }
    }
}

class Supplier extends Thread {
    private final int number;

    Supplier(int number) {
        this.number = number;
    }

    @Atomic
    boolean round() {
        StoreProduct product = Store.products[number];
        boolean consistent = product.isConsistent();
        product.incNumber(2);
        product.setSoldOutA(false);
        return consistent;
    }

    @Override
    public void run() {
        for (int i = 0; i < 5; i++) {
            System.out.println(round());
        }
    }
}

/**
 * As store, but what workers and suppliers do in a round is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Store.init();
        for (int i = 0; i < 3; i++) {
            new Client(i).start();
            new Worker().start();
            new Supplier(i).start();
        }
    }
}
