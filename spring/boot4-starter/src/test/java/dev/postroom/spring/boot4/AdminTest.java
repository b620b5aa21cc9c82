package dev.postroom.spring.boot4;

import dev.postroom.spring.boot.AdminContract;

class AdminTest extends AdminContract {}
