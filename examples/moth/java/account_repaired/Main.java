package account_repaired;

import commute.Atomic;

class Account {
    private final String name;
    private int balance;

    Account(String name) {
        this.name = name;
    }

    String getName() {
        return name;
    }

    private int getBalance() {
        return balance;
    }

    private void setBalance(int balance) {
        this.balance = balance;
    }

    @Atomic
    void update(int amount) {
        int total = getBalance();
        total += amount;
        setBalance(total);
    }
}

class Payer extends Thread {
    private final Account account;
    private final int number;

    Payer(Account account, int number) {
        this.account = account;
        this.number = number;
    }

    @Override
    public void run() {
        for (int step = 0; step < 5; step++) {
            account.update((7 * step + number) % 10);
        }
    }
}

/**
 * As account, but update is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Account account = new Account("savings");
        new Payer(account, 0).start();
        new Payer(account, 1).start();
        System.out.println(account.getName());
    }
}
