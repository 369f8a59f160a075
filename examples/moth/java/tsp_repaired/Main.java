package tsp_repaired;

import commute.Atomic;

class Tour {
    final int[] prefix = new int[TspSolver.CITIES];
    int cities;
    int length;
    int lowerBound;

    boolean visits(int city) {
        for (int i = 0; i < cities; i++) {
            if (prefix[i] == city) {
                return true;
            }
        }
        return false;
    }
}

class TspSolver {
    static final int CITIES = 6;
    static final int TOURS = 50;
    /** Tours with so many cities left are solved, others are split. */
    static final int SOLVABLE = 4;

    static final int[][] weights = new int[CITIES][CITIES];
    static final Tour[] tours = new Tour[TOURS];
    /** Which tours wait, the best last. */
    static final int[] prioQ = new int[TOURS];
    static int prioQTop;
    /** Which tours are free. */
    static final int[] tourStack = new int[TOURS];
    static int tourStackTop;
    static boolean done;
    static int minTourLen = Integer.MAX_VALUE;
    static final int[] minTour = new int[CITIES];

    static void init() {
        for (int from = 0; from < CITIES; from++) {
            for (int to = 0; to < CITIES; to++) {
                weights[from][to] = from == to ? 0 : 3 + (7 * Math.min(from, to) + 5 * Math.max(from, to)) % 11;
            }
        }
        for (int i = 0; i < TOURS; i++) {
            tours[i] = new Tour();
            if (i > 0) {
                tourStack[tourStackTop++] = i;
            }
        }
        tours[0].cities = 1;
        prioQ[prioQTop++] = 0;
    }

    /** Gives the last tour back, takes the next; -1 if there is none. */
    static int getTour(int curr) {
        if (curr != -1) {
            tourStack[tourStackTop++] = curr;
        }
        if (done) {
            return -1;
        }
        return findSolvableTour();
    }

    static int findSolvableTour() {
        while (prioQTop > 0) {
            int top = prioQ[--prioQTop];
            if (CITIES - tours[top].cities <= SOLVABLE) {
                return top;
            }
            splitTour(top);
        }
        done = true;
        return -1;
    }

    static void splitTour(int tour) {
        for (int city = 0; city < CITIES; city++) {
            if (!tours[tour].visits(city)) {
                newTour(tour, city);
            }
        }
        tourStack[tourStackTop++] = tour;
    }

    static void newTour(int from, int city) {
        int index = tourStack[--tourStackTop];
        Tour old = tours[from];
        Tour tour = tours[index];
        for (int i = 0; i < old.cities; i++) {
            tour.prefix[i] = old.prefix[i];
        }
        tour.prefix[old.cities] = city;
        tour.cities = old.cities + 1;
        tour.length = old.length + weights[old.prefix[old.cities - 1]][city];
        tour.lowerBound = calcBound(tour);
        int place = prioQTop++;
        while (place > 0 && tours[prioQ[place - 1]].lowerBound < tour.lowerBound) {
            prioQ[place] = prioQ[place - 1];
            place--;
        }
        prioQ[place] = index;
    }

    /** From every city that is left a way of at least the least weight leads on. */
    static int calcBound(Tour tour) {
        int bound = tour.length;
        for (int city = 0; city < CITIES; city++) {
            if (!tour.visits(city)) {
                int least = Integer.MAX_VALUE;
                for (int to = 0; to < CITIES; to++) {
                    if (to != city) {
                        least = Math.min(least, weights[city][to]);
                    }
                }
                bound += least;
            }
        }
        return bound;
    }

    static void setBest(int best, int[] path) {
        if (best >= minTourLen) {
            return;
        }
        setBest2(best, path);
    }

    static void setBest2(int best, int[] path) {
        if (best < minTourLen) {
            minTourLen = best;
            for (int i = 0; i < CITIES; i++) {
                minTour[i] = path[i];
            }
        }
    }

    static void recursiveSolve(int index) {
        Tour tour = tours[index];
        visitNodes(tour.prefix.clone(), tour.cities, tour.length);
    }

    static void visitNodes(int[] path, int cities, int length) {
        int last = path[cities - 1];
        if (cities == CITIES) {
            setBest(length + weights[last][path[0]], path);
            return;
        }
        for (int city = 0; city < CITIES; city++) {
            if (!contains(path, cities, city)) {
                path[cities] = city;
                visitNodes(path, cities + 1, length + weights[last][city]);
            }
        }
    }

    static boolean contains(int[] path, int cities, int city) {
        for (int i = 0; i < cities; i++) {
            if (path[i] == city) {
                return true;
            }
        }
        return false;
    }
}

class Worker extends Thread {
    @Override
    @Atomic
    public void run() {
        int curr = -1;
        while (true) {
            curr = TspSolver.getTour(curr);
            if (curr == -1) {
                return;
            }
            TspSolver.recursiveSolve(curr);
        }
    }
}

/**
 * As tsp, but a worker's run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        TspSolver.init();
        new Worker().start();
        new Worker().start();
    }
}
