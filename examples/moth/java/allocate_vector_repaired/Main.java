package allocate_vector_repaired;

import commute.Atomic;
import java.util.Arrays;

class AllocationVector {
    private final char[] vector = new char[20];

    AllocationVector() {
        Arrays.fill(vector, 'F');
    }

    /** A free block, or -1; the search begins at random. */
    int getFreeBlockIndex() {
        int somewhere = (int) (Math.random() * vector.length);
        for (int step = 0; step < vector.length; step++) {
            int index = (somewhere + step) % vector.length;
            if (vector[index] == 'F') {
                return index;
            }
        }
        return -1;
    }

    void markAsAllocatedBlock(int index) {
        vector[index] = 'A';
    }

    void markAsFreeBlock(int index) {
        vector[index] = 'F';
    }
}

class Allocator extends Thread {
    private final AllocationVector vector;
    private final int[] resultBuf = new int[5];

    Allocator(AllocationVector vector) {
        this.vector = vector;
    }

    @Override
    @Atomic
    public void run() {
        for (int i = 0; i < resultBuf.length; i++) {
            int result = vector.getFreeBlockIndex();
            if (result != -1) {
                vector.markAsAllocatedBlock(result);
            }
            resultBuf[i] = result;
        }
        for (int i = 0; i < resultBuf.length; i++) {
            if (resultBuf[i] != -1) {
                vector.markAsFreeBlock(resultBuf[i]);
            }
        }
    }
}

/**
 * As allocate_vector, but run is atomic.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        AllocationVector vector = new AllocationVector();
        new Allocator(vector).start();
        new Allocator(vector).start();
    }
}
