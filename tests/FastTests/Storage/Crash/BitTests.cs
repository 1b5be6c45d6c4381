using FastTests.Support;
using Raven.Storage.Paging;
using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>A changed bit is detected when it is read; SlowTests flip all of them.</summary>
[Trait(Proof.Row, Proof.Damage)]
public sealed class BitTests
{
    [Fact]
    [Trait("Invariant", "DATA-3")]
    public void A_flipped_bit_of_a_page_of_each_kind_is_found_when_the_page_is_read()
    {
        (IReadOnlyCollection<PageKind> kinds, int bits) = BitCheck.Pages(stride: 253);
        Assert.Equal(Enum.GetValues<PageKind>().Where(kind => kind != PageKind.None), kinds.Order());
        Assert.True(bits > 1_500, $"{bits} bits");
    }

    [Fact]
    [Trait("Invariant", "JOURNAL-2")]
    public void A_flipped_bit_of_a_journal_record_is_found_when_the_record_is_read()
    {
        (int records, int bits) = BitCheck.Records(stride: 61, recordsMax: 4);
        Assert.True(records == 4 && bits > 1_500, $"{bits} bits of {records} records");
    }
}
