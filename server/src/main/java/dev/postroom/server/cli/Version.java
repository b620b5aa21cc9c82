package dev.postroom.server.cli;

import picocli.CommandLine.IVersionProvider;

/** Reads the version from the jar's manifest. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"postroom " + (version == null ? "(not built as a jar)" : version)};
    }
}
