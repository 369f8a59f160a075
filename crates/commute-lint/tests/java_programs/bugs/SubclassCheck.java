// A subclass looks with a method of its superclass, and acts with another.
//@ finding: SubclassCheck.addOnce
import java.util.HashSet;
import java.util.Set;

class Names {
    protected final Set<String> names = new HashSet<>();

    public synchronized boolean has(String name) {
        return names.contains(name);
    }

    public synchronized void add(String name) {
        names.add(name);
    }

    public synchronized void remove(String name) {
        names.remove(name);
    }
}

public class SubclassCheck extends Names {
    private int count;

    //@ before
    public boolean addOnce(String name) {
    //@ after
    public synchronized boolean addOnce(String name) {
    //@ end
        if (has(name)) {
            return false;
        }
        add(name);
        return true;
    }
}
