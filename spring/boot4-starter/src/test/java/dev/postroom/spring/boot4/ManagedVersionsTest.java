package dev.postroom.spring.boot4;

import dev.postroom.spring.boot.ManagedVersionsContract;

class ManagedVersionsTest extends ManagedVersionsContract {}
