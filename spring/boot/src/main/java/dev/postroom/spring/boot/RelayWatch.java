package dev.postroom.spring.boot;

import dev.postroom.relay.RelayListener;
import dev.postroom.spi.Tracing;
import java.util.List;

/** Who looks on while a relay works. */
public record RelayWatch(List<RelayListener> listeners, Tracing tracing) {}
