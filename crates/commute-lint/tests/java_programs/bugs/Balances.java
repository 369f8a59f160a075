// Deposits on a Hashtable get lost.
//@ finding: Balances.deposit
import java.util.Hashtable;

public class Balances {
    private final Hashtable<String, Long> balances = new Hashtable<>();

    public void deposit(String account, long amount) {
        //@ before
        Long old = balances.get(account);
        if (old == null) {
            balances.put(account, amount);
        } else {
            balances.put(account, old + amount);
        }
        //@ after
        synchronized (balances) {
            Long old = balances.get(account);
            if (old == null) {
                balances.put(account, amount);
            } else {
                balances.put(account, old + amount);
            }
        }
        //@ end
    }
}
