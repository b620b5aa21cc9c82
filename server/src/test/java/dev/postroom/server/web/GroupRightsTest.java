package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.Rights;
import dev.postroom.admin.Role;
import dev.postroom.operations.Tenants;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is told of people and cannot be understood opens nothing. */
@Tag("R72")
class GroupRightsTest {
    private final GroupRights rights =
            new GroupRights(List.of("staff"), List.of("ops"), List.of("auditors"), List.of("platform"));

    @Test
    void groups_give_the_role_and_tenants_bind_it() {
        assertThat(rights.of(List.of("staff"), List.of("acme", " ")))
                .isEqualTo(Rights.of(Role.VIEWER).within(Tenants.of(List.of("acme"))));
        assertThat(rights.of(List.of("staff", "ops", "auditors"), null))
                .isEqualTo(Rights.of(Role.OPERATOR).revealing(true));
        assertThat(rights.of(List.of("staff", "platform"), List.of())).isEqualTo(Rights.of(Role.VIEWER));
    }

    @Test
    void who_has_no_role_has_no_other_right_either() {
        assertThat(rights.of(List.of("auditors", "platform"), null)).isEqualTo(Rights.NONE);
    }

    @Test
    void no_tenants_and_more_than_somebody_can_be_bound_to_are_no_right() {
        List<String> many = IntStream.range(0, 101).mapToObj(n -> "tenant-" + n).toList();
        assertThat(rights.of(List.of("ops"), many)).isEqualTo(Rights.NONE);
        assertThat(rights.of(List.of("ops"), List.of())).isEqualTo(Rights.NONE);
        assertThat(rights.of(List.of("ops"), List.of("", " "))).isEqualTo(Rights.NONE);
    }
}
