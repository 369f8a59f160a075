// The balance is read and written in two synchronized blocks.
//@ finding: Account.withdraw
public class Account {
    private int balance;

    public void deposit(int amount) {
        synchronized (this) {
            balance += amount;
        }
    }

    public boolean withdraw(int amount) {
        //@ before
        int old;
        synchronized (this) {
            old = balance;
        }
        if (old < amount) {
            return false;
        }
        synchronized (this) {
            balance = old - amount;
        }
        return true;
        //@ after
        synchronized (this) {
            int old = balance;
            if (old < amount) {
                return false;
            }
            balance = old - amount;
        }
        return true;
        //@ end
    }
}
