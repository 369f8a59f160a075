package knight_repaired;

import commute.Atomic;
import java.util.Arrays;

class Position {
    final int x;
    final int y;

    Position(int x, int y) {
        this.x = x;
        this.y = y;
    }

    boolean isOnBoard() {
        return x >= 0 && x < 8 && y >= 0 && y < 8;
    }

    boolean is(Position other) {
        return x == other.x && y == other.y;
    }
}

class KnightMoves {
    static final int[][] STEPS = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static final int MOST_MOVES = 2;

    final Position knight = new Position(0, 0);
    final Position prey = new Position(2, 4);
    private final int[][] solution = new int[8][8];

    KnightMoves() {
        for (int[] row : solution) {
            Arrays.fill(row, Integer.MAX_VALUE);
        }
    }

    int getSolution(Position p) {
        return solution[p.x][p.y];
    }

    void setSolution(Position p, int moves) {
        solution[p.x][p.y] = moves;
    }
}

class Solver extends Thread {
    private final KnightMoves shared;
    private final Position me;
    private final int moves;

    Solver(KnightMoves shared, Position me, int moves) {
        this.shared = shared;
        this.me = me;
        this.moves = moves;
    }

    @Atomic
    int solve() {
        if (shared.getSolution(me) <= moves) {
            return -1;
        }
        Thread.yield();
        shared.setSolution(me, moves);
        if (me.is(shared.prey) || moves == KnightMoves.MOST_MOVES) {
            return moves;
        }
        for (int[] step : KnightMoves.STEPS) {
            Position next = new Position(me.x + step[0], me.y + step[1]);
            if (next.isOnBoard()) {
                new Solver(shared, next, moves + 1).start();
            }
        }
        return moves;
    }

    @Override
    public void run() {
        solve();
    }
}

/** The same without threads. */
class SolverCorrect {
    private final KnightMoves shared;

    SolverCorrect(KnightMoves shared) {
        this.shared = shared;
    }

    @Atomic
    void solve() {
        visit(shared.knight, 0);
    }

    private void visit(Position me, int moves) {
        if (shared.getSolution(me) <= moves) {
            return;
        }
        shared.setSolution(me, moves);
        if (me.is(shared.prey) || moves == KnightMoves.MOST_MOVES) {
            return;
        }
        for (int[] step : KnightMoves.STEPS) {
            Position next = new Position(me.x + step[0], me.y + step[1]);
            if (next.isOnBoard()) {
                visit(next, moves + 1);
            }
        }
    }
}

/**
 * As knight, but solve is atomic, of both solvers.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        KnightMoves shared = new KnightMoves();
        new Solver(shared, shared.knight, 0).start();
        new SolverCorrect(new KnightMoves()).solve();
    }
}
