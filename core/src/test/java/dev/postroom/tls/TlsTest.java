package dev.postroom.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the files may be; the transports' tests shake hands with them. */
@Tag("R72")
class TlsTest {
    @TempDir
    Path folder;

    private static String pem(byte[] key) {
        return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                + "\n-----END PRIVATE KEY-----\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void keys_of_every_usual_kind_are_read(String kind) throws Exception {
        PrivateKey key = KeyPairGenerator.getInstance(kind).generateKeyPair().getPrivate();
        Path file = Files.writeString(folder.resolve("key"), "something before\n" + pem(key.getEncoded()));
        assertThat(PemFiles.privateKey(file).getEncoded()).isEqualTo(key.getEncoded());
    }

    @Test
    void a_file_that_is_not_what_it_should_be_is_named_and_not_shown() throws Exception {
        Path missing = folder.resolve("missing.pem");
        Path other = Files.writeString(folder.resolve("other.pem"), "-----BEGIN RSA PRIVATE KEY-----\nhidden\n");
        Path broken = Files.writeString(
                folder.resolve("broken.pem"), pem("hidden".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        assertRefused(Tls.files().authorities(missing), "missing.pem cannot be read", "check that it is there");
        assertRefused(Tls.files().authorities(empty), "empty.pem contains no certificate");
        assertRefused(Tls.files().authorities(other), "other.pem cannot be read as certificates");
        assertThatThrownBy(() -> PemFiles.privateKey(other)).hasMessageContaining("openssl pkcs8 -topk8 -nocrypt");
        assertThatThrownBy(() -> PemFiles.privateKey(broken))
                .hasMessageContaining("unknown kind")
                .hasMessageNotContaining("hidden");
        assertRefused(new Tls(null, other, null), "belong together");
    }

    private static void assertRefused(Tls files, String... says) {
        assertThatThrownBy(files::context)
                .isInstanceOf(PostroomException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(says).doesNotContain("hidden"));
    }
}
