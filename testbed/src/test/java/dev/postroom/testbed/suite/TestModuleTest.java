package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestModuleTest {

    @Test
    void its_own_classes_come_before_its_dependencies(@TempDir Path root) throws IOException {
        SmallProject project = new SmallProject(root);
        project.write("shop/target/test.classpath", "/a.jar:/b.jar\n");

        assertThat(TestModule.read(root, "shop").classPath())
                .isEqualTo(root + "/shop/target/test-classes:" + root + "/shop/target/classes:/a.jar:/b.jar");
    }

    @Test
    void a_nested_class_is_no_test_class_of_its_own(@TempDir Path root) throws IOException {
        SmallProject project = new SmallProject(root);
        project.compile("shop", "OuterTest", "@Nested class InnerTest { @Test void runs() {} }");

        assertThat(TestModule.read(root, "shop").testClasses()).containsExactly("com.example.OuterTest");
    }
}
