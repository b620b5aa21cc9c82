package dev.postroom.testbed;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;

/**
 * An authority of the tests' own, which makes certificates for names and addresses. It writes them itself, since keytool
 * takes a second for each and cannot be told a time. Safe for use by several threads.
 */
public final class Authority {
    private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
    private static final byte[] COMMON_NAME = Der.oid(0x55, 0x04, 0x03);
    private static final byte[] ALTERNATIVE_NAMES = Der.oid(0x55, 0x1d, 0x11);
    private static final byte[] BASIC_CONSTRAINTS = Der.oid(0x55, 0x1d, 0x13);
    private static final byte[] KEY_USAGE = Der.oid(0x55, 0x1d, 0x0f);
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    private final AtomicLong serial = new AtomicLong(1);
    private final String name;
    private final KeyPair keys = newKeys();
    private final X509Certificate certificate;

    public Authority(String name) {
        this.name = name;
        // It may sign certificates, which some servers insist on being said.
        byte[] extensions = Der.sequence(
                Der.sequence(BASIC_CONSTRAINTS, Der.truth(), Der.octets(Der.sequence(Der.truth()))),
                Der.sequence(KEY_USAGE, Der.truth(), Der.octets(new byte[] {0x03, 0x02, 0x02, 0x04})));
        this.certificate = sign(
                name,
                keys,
                extensions,
                InstantSource.system().instant().minus(Duration.ofDays(30)),
                Duration.ofDays(60));
    }

    /** A certificate for these host names and addresses, from an hour ago on. */
    public Identity issue(String... names) {
        return issue(InstantSource.system().instant().minus(Duration.ofHours(1)), names);
    }

    /** One whose day was over yesterday. */
    public Identity issueExpired(String... names) {
        return issue(InstantSource.system().instant().minus(Duration.ofDays(2)), names);
    }

    private Identity issue(Instant from, String... names) {
        KeyPair own = newKeys();
        byte[] alternatives =
                Der.sequence(Arrays.stream(names).map(Authority::alternative).toArray(byte[][]::new));
        byte[] extensions = Der.sequence(Der.sequence(ALTERNATIVE_NAMES, Der.octets(alternatives)));
        return new Identity(sign(names[0], own, extensions, from, Duration.ofDays(1)), own.getPrivate(), certificate);
    }

    private static byte[] alternative(String host) {
        try {
            boolean address = Character.isDigit(host.charAt(host.length() - 1)) || host.contains(":");
            return address
                    ? Der.tagged(IP_ADDRESS, InetAddress.getByName(host).getAddress())
                    : Der.tagged(DNS_NAME, host.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        } catch (UnknownHostException e) {
            throw new TestbedException(host + " is no address", e);
        }
    }

    private X509Certificate sign(String subject, KeyPair own, byte[] extensions, Instant from, Duration validity) {
        byte[] content = Der.sequence(
                Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
                Der.integer(BigInteger.valueOf(System.nanoTime())
                        .abs()
                        .shiftLeft(16)
                        .add(BigInteger.valueOf(serial.getAndIncrement()))),
                ECDSA_SHA256,
                distinguished(name),
                Der.sequence(Der.time(from), Der.time(from.plus(validity))),
                distinguished(subject),
                own.getPublic().getEncoded(),
                Der.tagged(0xa3, extensions));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            byte[] whole = Der.sequence(content, ECDSA_SHA256, Der.bits(signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
        } catch (GeneralSecurityException e) {
            throw new TestbedException("no certificate for " + subject, e);
        }
    }

    private static byte[] distinguished(String commonName) {
        return Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(commonName))));
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new TestbedException("no keys", e);
        }
    }

    /** Writes its own certificate, for those who are to trust it. */
    public Path write(Path file) {
        return Pem.write(file, Pem.of(certificate));
    }

    /** Trusts this authority alone, and shows no certificate. */
    public SSLContext trusted() {
        return Identity.context(certificate, null);
    }
}
