package elevator;

import commute.Atomic;
import java.util.Vector;

class Floor {
    Vector<Integer> upPeople = new Vector<>();
    Vector<Integer> downPeople = new Vector<>();
    boolean upFlag;
    boolean downFlag;
}

class Controls {
    final Floor[] floors = new Floor[5];

    Controls() {
        for (int i = 0; i < floors.length; i++) {
            floors[i] = new Floor();
        }
    }

    /** Not atomic. */
    void pushUp(int floor, int to) {
        floors[floor].upPeople.addElement(to);
    }

    /** Not atomic. */
    void pushDown(int floor, int to) {
        floors[floor].downPeople.addElement(to);
    }

    @Atomic
    boolean checkUp(int floor) {
        return !floors[floor].upPeople.isEmpty() && !floors[floor].upFlag;
    }

    @Atomic
    boolean checkDown(int floor) {
        return !floors[floor].downPeople.isEmpty() && !floors[floor].downFlag;
    }

    @Atomic
    boolean claimUp2(int floor) {
        if (floors[floor].upFlag) {
            return false;
        }
        floors[floor].upFlag = true;
        return true;
    }

    @Atomic
    boolean claimDown2(int floor) {
        if (floors[floor].downFlag) {
            return false;
        }
        floors[floor].downFlag = true;
        return true;
    }

    @Atomic
    Vector<Integer> getUpPeople(int floor) {
        Vector<Integer> people = floors[floor].upPeople;
        floors[floor].upPeople = new Vector<>();
        floors[floor].upFlag = false;
        return people;
    }

    @Atomic
    Vector<Integer> getDownPeople(int floor) {
        Vector<Integer> people = floors[floor].downPeople;
        floors[floor].downPeople = new Vector<>();
        floors[floor].downFlag = false;
        return people;
    }

    boolean claimUp(int floor) {
        return checkUp(floor) && claimUp2(floor);
    }

    boolean claimDown(int floor) {
        return checkDown(floor) && claimDown2(floor);
    }
}

class Lift extends Thread {
    private static final int IDLE = 0;
    private static final int UP = 1;
    private static final int DOWN = 2;

    private final Controls controls;
    private int currentFloor;
    private int targetFloor;
    private int direction = IDLE;
    private int served;

    Lift(Controls controls, int floor) {
        this.controls = controls;
        this.currentFloor = floor;
        this.targetFloor = floor;
    }

    private void doIdle() {
        int floor = currentFloor;
        boolean found = claim(floor);
        if (!found) {
            floor = 0;
        }
        // What the claims said decides to which floor the scan goes on.
        while (!found && floor < controls.floors.length) {
            found = claim(floor);
            if (!found) {
                floor++;
            }
        }
        if (found) {
            targetFloor = floor;
        }
    }

    private boolean claim(int floor) {
        if (controls.claimUp(floor)) {
            direction = UP;
            return true;
        }
        if (controls.claimDown(floor)) {
            direction = DOWN;
            return true;
        }
        return false;
    }

    private void doMoving() {
        if (currentFloor < targetFloor) {
            currentFloor++;
        } else if (currentFloor > targetFloor) {
            currentFloor--;
        }
        boolean arrived = currentFloor == targetFloor;
        if (direction == UP) {
            if (arrived || controls.claimUp(currentFloor)) {
                served += controls.getUpPeople(currentFloor).size();
            }
        } else if (arrived || controls.claimDown(currentFloor)) {
            served += controls.getDownPeople(currentFloor).size();
        }
        if (arrived) {
            direction = IDLE;
        }
    }

    @Override
    public void run() {
        for (int step = 0; step < 10; step++) {
            if (direction == IDLE) {
                doIdle();
            } else {
                doMoving();
            }
        }
    }
}

/**
 * Lifts look for people, lowest floor first, and every look and every claim is a step of its own. What
 * one said may be old at the next, on this floor or on a later one.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Controls controls = new Controls();
        controls.pushUp(1, 3);
        controls.pushUp(2, 4);
        controls.pushDown(4, 0);
        new Lift(controls, 0).start();
        new Lift(controls, 1).start();
    }
}
