package commute;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** The method is one step for all other threads. An analysis reads it; nothing happens when the program runs. */
@Target(ElementType.METHOD)
public @interface Atomic {
}
