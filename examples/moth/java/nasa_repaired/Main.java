package nasa_repaired;

import commute.Atomic;

class Cell {
    int value;
    boolean achieved;
}

class Agent {
    final Cell[] table = new Cell[100];
    final int[] systemState = new int[100];

    Agent() {
        for (int n = 0; n < table.length; n++) {
            table[n] = new Cell();
        }
    }
}

class Task extends Thread {
    private final Agent agent;
    private final int n;

    Task(Agent agent, int n) {
        this.agent = agent;
        this.n = n;
    }

    void setValue(int value, int n) {
        agent.table[n].value = value;
    }

    void setAchieved(int n) {
        agent.table[n].achieved = true;
    }

    @Override
    @Atomic
    public void run() {
        setValue(1, n);
        setAchieved(n);
    }
}

class Daemon extends Thread {
    private final Agent agent;

    Daemon(Agent agent) {
        this.agent = agent;
    }

    @Atomic
    boolean tryIssueWarning(int n) {
        Cell cell = agent.table[n];
        return cell.achieved && agent.systemState[n] != cell.value;
    }

    @Override
    public void run() {
        for (int n = 0; n < 100; n++) {
            if (tryIssueWarning(n)) {
                System.out.println(n);
            }
        }
    }
}

/**
 * As nasa, but a task's run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Agent agent = new Agent();
        for (int n = 0; n < 3; n++) {
            new Task(agent, n).start();
        }
        new Daemon(agent).start();
    }
}
