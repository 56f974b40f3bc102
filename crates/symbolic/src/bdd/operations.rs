//! Boolean operations and quantification, by recursion over both halves of the top variable.

use super::cache::Operation;
use super::store::{Edge, FALSE, Store, TRUE};
use crate::limits::Stop;

impl Store {
    pub(super) fn and(&mut self, a: Edge, b: Edge) -> Result<Edge, Stop> {
        if a == FALSE || b == FALSE || a == b ^ 1 {
            return Ok(FALSE);
        }
        if a == TRUE || a == b {
            return Ok(b);
        }
        if b == TRUE {
            return Ok(a);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let keys = [a, b, TRUE];
        if let Some(result) = self.cache.get(Operation::And, keys) {
            return Ok(result);
        }
        self.tick()?;
        let level = self.level(a).min(self.level(b));
        let (a0, a1) = self.split(a, level);
        let (b0, b1) = self.split(b, level);
        let high = self.and(a1, b1)?;
        let low = self.and(a0, b0)?;
        let result = self.make(level, low, high)?;
        self.cache.put(Operation::And, keys, result);
        Ok(result)
    }

    pub(super) fn or(&mut self, a: Edge, b: Edge) -> Result<Edge, Stop> {
        Ok(self.and(a ^ 1, b ^ 1)? ^ 1)
    }

    pub(super) fn xor(&mut self, a: Edge, b: Edge) -> Result<Edge, Stop> {
        // The signs come out of the recursion: !a xor b = !(a xor b).
        let sign = (a ^ b) & 1;
        let (a, b) = (a & !1, b & !1);
        if a == b {
            return Ok(FALSE ^ sign);
        }
        if a == TRUE {
            return Ok(b ^ 1 ^ sign);
        }
        if b == TRUE {
            return Ok(a ^ 1 ^ sign);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let keys = [a, b, TRUE];
        if let Some(result) = self.cache.get(Operation::Xor, keys) {
            return Ok(result ^ sign);
        }
        self.tick()?;
        let level = self.level(a).min(self.level(b));
        let (a0, a1) = self.split(a, level);
        let (b0, b1) = self.split(b, level);
        let high = self.xor(a1, b1)?;
        let low = self.xor(a0, b0)?;
        let result = self.make(level, low, high)?;
        self.cache.put(Operation::Xor, keys, result);
        Ok(result ^ sign)
    }

    pub(super) fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Result<Edge, Stop> {
        if f == TRUE || g == h {
            return Ok(g);
        }
        if f == FALSE {
            return Ok(h);
        }
        if f & 1 == 1 {
            return self.ite(f ^ 1, h, g);
        }
        if g == TRUE || g == f {
            return self.or(f, h);
        }
        if g == FALSE || g == f ^ 1 {
            return self.and(f ^ 1, h);
        }
        if h == FALSE || h == f {
            return self.and(f, g);
        }
        if h == TRUE || h == f ^ 1 {
            return self.or(f ^ 1, g);
        }
        if g == h ^ 1 {
            return Ok(self.xor(f, g)? ^ 1);
        }
        let sign = g & 1;
        let (g, h) = (g ^ sign, h ^ sign);
        let keys = [f, g, h];
        if let Some(result) = self.cache.get(Operation::Ite, keys) {
            return Ok(result ^ sign);
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let (f0, f1) = self.split(f, level);
        let (g0, g1) = self.split(g, level);
        let (h0, h1) = self.split(h, level);
        let high = self.ite(f1, g1, h1)?;
        let low = self.ite(f0, g0, h0)?;
        let result = self.make(level, low, high)?;
        self.cache.put(Operation::Ite, keys, result);
        Ok(result ^ sign)
    }

    /// The rest of a cube of positive literals from a level on.
    pub(super) fn cube_from(&self, mut cube: Edge, level: u32) -> Edge {
        while self.level(cube) < level {
            cube = self.node(cube).high;
        }
        cube
    }

    pub(super) fn exists(&mut self, a: Edge, cube: Edge) -> Result<Edge, Stop> {
        let level = self.level(a);
        let cube = self.cube_from(cube, level);
        if cube == TRUE || a <= FALSE {
            return Ok(a);
        }
        let keys = [a, cube, TRUE];
        if let Some(result) = self.cache.get(Operation::Exists, keys) {
            return Ok(result);
        }
        self.tick()?;
        let (low, high) = self.split(a, level);
        let result = if self.level(cube) == level {
            let rest = self.node(cube).high;
            let one = self.exists(high, rest)?;
            if one == TRUE {
                TRUE
            } else {
                let other = self.exists(low, rest)?;
                self.or(one, other)?
            }
        } else {
            let high = self.exists(high, cube)?;
            let low = self.exists(low, cube)?;
            self.make(level, low, high)?
        };
        self.cache.put(Operation::Exists, keys, result);
        Ok(result)
    }

    /// The relational product: `exists cube. a and b` in one pass.
    pub(super) fn and_exists(&mut self, a: Edge, b: Edge, cube: Edge) -> Result<Edge, Stop> {
        if a == FALSE || b == FALSE || a == b ^ 1 {
            return Ok(FALSE);
        }
        if a == TRUE || a == b {
            return self.exists(b, cube);
        }
        if b == TRUE {
            return self.exists(a, cube);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let level = self.level(a).min(self.level(b));
        let cube = self.cube_from(cube, level);
        if cube == TRUE {
            return self.and(a, b);
        }
        let keys = [a, b, cube];
        if let Some(result) = self.cache.get(Operation::AndExists, keys) {
            return Ok(result);
        }
        self.tick()?;
        let (a0, a1) = self.split(a, level);
        let (b0, b1) = self.split(b, level);
        let result = if self.level(cube) == level {
            let rest = self.node(cube).high;
            let one = self.and_exists(a1, b1, rest)?;
            if one == TRUE {
                TRUE
            } else {
                let other = self.and_exists(a0, b0, rest)?;
                self.or(one, other)?
            }
        } else {
            let high = self.and_exists(a1, b1, cube)?;
            let low = self.and_exists(a0, b0, cube)?;
            self.make(level, low, high)?
        };
        self.cache.put(Operation::AndExists, keys, result);
        Ok(result)
    }

    /// `a` with the variables of a conjunction of literals fixed.
    pub(super) fn restrict(&mut self, a: Edge, literals: Edge) -> Result<Edge, Stop> {
        let level = self.level(a);
        let mut literals = literals;
        while self.level(literals) < level {
            let (low, high) = self.split(literals, self.level(literals));
            literals = if low == FALSE { high } else { low };
        }
        if literals == TRUE || a <= FALSE {
            return Ok(a);
        }
        let sign = a & 1;
        let keys = [a ^ sign, literals, TRUE];
        if let Some(result) = self.cache.get(Operation::Restrict, keys) {
            return Ok(result ^ sign);
        }
        self.tick()?;
        let (low, high) = self.split(a ^ sign, level);
        let result = if self.level(literals) == level {
            let (no, yes) = self.split(literals, level);
            if no == FALSE {
                self.restrict(high, yes)?
            } else {
                self.restrict(low, no)?
            }
        } else {
            let high = self.restrict(high, literals)?;
            let low = self.restrict(low, literals)?;
            self.make(level, low, high)?
        };
        self.cache.put(Operation::Restrict, keys, result);
        Ok(result ^ sign)
    }

    /// A small function that agrees with `a` wherever `care` is true: sibling substitution
    /// (Coudert, Madre: "A unified framework for the formal verification of sequential circuits",
    /// ICCAD 1990). `care` must not be false.
    pub(super) fn simplify(&mut self, a: Edge, care: Edge) -> Result<Edge, Stop> {
        if care == TRUE || a <= FALSE {
            return Ok(a);
        }
        if a == care {
            return Ok(TRUE);
        }
        if a == care ^ 1 {
            return Ok(FALSE);
        }
        let sign = a & 1;
        let a = a ^ sign;
        let keys = [a, care, TRUE];
        if let Some(result) = self.cache.get(Operation::Simplify, keys) {
            return Ok(result ^ sign);
        }
        self.tick()?;
        let (a_level, care_level) = (self.level(a), self.level(care));
        let result = if care_level < a_level {
            let (care0, care1) = self.split(care, care_level);
            let either = self.or(care0, care1)?;
            self.simplify(a, either)?
        } else {
            let (a0, a1) = self.split(a, a_level);
            let (care0, care1) = self.split(care, a_level);
            if care0 == FALSE {
                self.simplify(a1, care1)?
            } else if care1 == FALSE {
                self.simplify(a0, care0)?
            } else {
                let high = self.simplify(a1, care1)?;
                let low = self.simplify(a0, care0)?;
                self.make(a_level, low, high)?
            }
        };
        self.cache.put(Operation::Simplify, keys, result);
        Ok(result ^ sign)
    }
}
