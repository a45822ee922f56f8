package dev.eventing.sdk.autoconfigure;

import java.util.function.IntConsumer;

/** What follows a command, with its exit code. */
interface CommandExit extends IntConsumer {

}
