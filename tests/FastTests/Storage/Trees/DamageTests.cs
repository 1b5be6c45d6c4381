using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.Trees;

namespace FastTests.Storage.Trees;

/// <summary>
/// Whatever stands in a page, reading and changing the structures ends with the right kind of exception or without one:
/// never with another kind, a hang, or an access outside of the page. The hash that would catch the damage is not
/// there.
/// </summary>
[Trait(Proof.Row, Proof.Damage)]
public sealed class DamageTests
{
    [Fact]
    public void Damaged_pages_are_never_read_past_their_ends() => new DamageRun(seed: 1).Run(iterations: 1_000);

    [Fact]
    public void Damage_of_a_page_names_the_data_file_and_the_offset()
    {
        StorageCorruptedException damage =
            Assert.Throws<StorageCorruptedException>(() => Damage.Throw(7, "has no entries"));
        Assert.Equal(("data.voron", 7 * 8192L), (damage.File, damage.Offset));
        damage = Assert.Throws<StorageCorruptedException>(() => StructureRoot.Read([], StructureKind.Tree));
        Assert.Equal(("data.voron", -1L), (damage.File, damage.Offset));
    }
}
