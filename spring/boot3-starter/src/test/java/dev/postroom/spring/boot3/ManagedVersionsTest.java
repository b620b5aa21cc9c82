package dev.postroom.spring.boot3;

import dev.postroom.spring.boot.ManagedVersionsContract;

class ManagedVersionsTest extends ManagedVersionsContract {}
