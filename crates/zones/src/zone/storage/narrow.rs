//! Narrow storage: the entries of a zone in 8 or 16 bits where they fit, compared without unpacking.
//!
//! The packed bounds keep their encoding; the largest number of the type stands for infinity. So entries still
//! compare as bounds do, and a comparison of two packed zones looks at two or four times as many at once.

use crate::bound::{Bound, INFINITY};
use crate::zone::kernel;

/// A type that holds bounds: `i8` (constants up to 62), `i16` (up to 16382) or [`Bound`] itself.
pub trait Narrow: Copy + Ord + Into<Bound> + sealed::Sealed {
    /// What stands for [`INFINITY`].
    const INFINITE: Self;

    /// The tightest bound that fits.
    const LOWEST: Self;

    /// The low bits of a number; right for the bounds that fit.
    fn truncate(bound: Bound) -> Self;

    /// The bound, if it fits.
    #[inline(always)]
    fn narrow(bound: Bound) -> Option<Self> {
        if bound == INFINITY {
            return Some(Self::INFINITE);
        }
        (Self::LOWEST.into() <= bound && bound < Self::INFINITE.into())
            .then(|| Self::truncate(bound))
    }

    /// The bound that this stands for.
    #[inline(always)]
    fn widen(self) -> Bound {
        if self == Self::INFINITE {
            INFINITY
        } else {
            self.into()
        }
    }
}

mod sealed {
    /// The kernels know these types by their size.
    pub trait Sealed {}
    impl Sealed for i8 {}
    impl Sealed for i16 {}
    impl Sealed for i32 {}
}

impl Narrow for i8 {
    const INFINITE: Self = i8::MAX;
    const LOWEST: Self = i8::MIN;

    #[inline(always)]
    fn truncate(bound: Bound) -> Self {
        bound as i8
    }
}

impl Narrow for i16 {
    const INFINITE: Self = i16::MAX;
    const LOWEST: Self = i16::MIN;

    #[inline(always)]
    fn truncate(bound: Bound) -> Self {
        bound as i16
    }
}

impl Narrow for Bound {
    const INFINITE: Self = INFINITY;
    const LOWEST: Self = crate::bound::SMALLEST;

    #[inline(always)]
    fn truncate(bound: Bound) -> Self {
        bound
    }
}

/// Packs a zone into as many entries; returns whether all fit (if not, the packed entries mean nothing).
#[inline]
pub fn pack<T: Narrow>(zone: &[Bound], packed: &mut [T]) -> bool {
    assert_eq!(zone.len(), packed.len());
    kernel::pack(zone, packed)
}

/// Unpacks a zone.
#[inline]
pub fn unpack<T: Narrow>(packed: &[T], zone: &mut [Bound]) {
    assert_eq!(zone.len(), packed.len());
    kernel::unpack(packed, zone);
}

/// Whether `large ⊇ small`, both packed in the same type.
#[inline]
pub fn includes<T: Narrow>(large: &[T], small: &[T]) -> bool {
    assert_eq!(large.len(), small.len());
    !kernel::any_greater_narrow(small, large)
}

/// Whether `large ⊇ small` where only `large` is packed.
#[inline]
pub fn includes_wide<T: Narrow>(large: &[T], small: &[Bound]) -> bool {
    assert_eq!(large.len(), small.len());
    !kernel::any_greater_mixed(small, large)
}

/// Packs a core ([`alu_core`](crate::zone::alu_core)) for [`includes`] with packed zones on the larger side: entries that
/// the type does not hold become the nearest that it does, which compares with each packed bound as the entry did.
#[inline]
pub fn saturate<T: Narrow>(core: &[Bound], packed: &mut [T]) {
    assert_eq!(core.len(), packed.len());
    kernel::saturate(core, packed);
}
