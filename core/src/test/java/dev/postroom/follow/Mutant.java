package dev.postroom.follow;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A deliberate error: one place of a source file changed. Its class is compiled and takes the place of the real one in a class
 * loader of its own, together with the small scope that is to find it.
 *
 * @param name what is wrong then
 * @param file the class
 * @param from what the source says, once
 * @param to what it says instead
 * @param scope where it shows
 * @param states how many states of it have to be seen
 */
record Mutant(String name, String file, String from, String to, String scope, int states) {
    private static final String PACKAGE = "dev.postroom.follow.";
    private static final Path SOURCES = Path.of("src/main/java/dev/postroom/follow");

    /** What is found with the error in place. */
    String run() throws ReflectiveOperationException {
        return run(scope, Integer.toString(states), "5");
    }

    /** What {@link ScopeRun} says with the error in place. */
    String run(String... arguments) throws ReflectiveOperationException {
        Class<?> run = new Loader(compile()).loadClass(PACKAGE + "ScopeRun");
        var main = run.getDeclaredMethod("run", String[].class);
        main.setAccessible(true);
        return (String) main.invoke(null, (Object) arguments);
    }

    private Map<String, byte[]> compile() {
        try {
            String source = Files.readString(SOURCES.resolve(file + ".java"));
            Matcher matcher = pattern().matcher(source);
            if (!matcher.find()) {
                throw new IllegalStateException(file + " does not say what '" + this + "' changes: " + from);
            }
            int begin = matcher.start();
            int end = matcher.end();
            if (matcher.find()) {
                throw new IllegalStateException(file + " says more than once what '" + this + "' changes: " + from);
            }
            return compile(source.substring(0, begin) + to + source.substring(end));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** However its lines are broken. */
    private Pattern pattern() {
        return Pattern.compile(
                Arrays.stream(from.trim().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s*")));
    }

    private Map<String, byte[]> compile(String source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, byte[]> classes = new HashMap<>();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null)) {
            JavaFileObject file =
                    new SimpleJavaFileObject(
                            URI.create("string:///" + this.file + ".java"), JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                            return source;
                        }
                    };
            List<String> options = new ArrayList<>(List.of("-proc:none", "-cp", System.getProperty("java.class.path")));
            boolean compiled = compiler.getTask(
                            said, new InMemory(standard, classes), null, options, null, List.of(file))
                    .call();
            if (!compiled) {
                throw new IllegalStateException(this + " does not compile:\n" + said);
            }
        }
        return classes;
    }

    @Override
    public String toString() {
        return name;
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, byte[]> classes;

        InMemory(JavaFileManager standard, Map<String, byte[]> classes) {
            super(standard);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("mem:///" + className + ".class"), kind) {
                @Override
                public java.io.OutputStream openOutputStream() {
                    return new java.io.ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            classes.put(className, toByteArray());
                        }
                    };
                }
            };
        }
    }

    /** Loads this package anew, so that its classes see the changed one. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> changed;

        Loader(Map<String, byte[]> changed) {
            super(Mutant.class.getClassLoader());
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith(PACKAGE)) {
                    return super.loadClass(name, resolve);
                }
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                byte[] bytes = changed.containsKey(name) ? changed.get(name) : bytes(name);
                return defineClass(name, bytes, 0, bytes.length);
            }
        }

        private byte[] bytes(String name) throws ClassNotFoundException {
            try (var in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                return in.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
