package dev.postroom.testbed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** Certificates and keys as files, which their owner alone can read: PostgreSQL takes no other. */
final class Pem {
    private Pem() {}

    static String of(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new TestbedException("a certificate that cannot be written", e);
        }
    }

    static String of(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    private static String block(String kind, byte[] content) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
    }

    static Path write(Path file, String text) {
        return write(file, text.getBytes(StandardCharsets.US_ASCII));
    }

    static Path write(Path file, byte[] content) {
        try {
            Path whole = file.resolveSibling(file.getFileName() + ".new");
            Files.deleteIfExists(whole);
            Files.createFile(whole, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(whole, content);
            return Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new TestbedException("cannot write " + file, e);
        }
    }
}
