using Raven.Storage.Journal;
using Raven.Storage.Paging;

namespace FastTests.Storage.Transactions;

/// <summary>Patches of pages, made by comparing all of a page or only the parts that are known to have
/// changed.</summary>
public sealed class PagePatchTests
{
    private const int Size = PageHeader.PageSizeInBytes;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_patch_of_the_parts_that_changed_gives_the_page(int seed)
    {
        var random = new Random(seed);
        byte[] patch = new byte[PagePatch.SizeMax(Size)];
        for (int i = 0; i < 1_500; i++)
        {
            byte[] older = new byte[Size];
            random.NextBytes(older);
            byte[] newer = [.. older];
            int lowEnd = random.Next(4) == 0 ? 0 : random.Next(Size + 1);
            int highStart = random.Next(Size);
            int highEnd = random.Next(4) == 0 ? 0 : random.Next(highStart, Size + 1);
            Change(newer.AsSpan(0, lowEnd), random);
            Change(newer.AsSpan(highStart, Math.Max(0, highEnd - highStart)), random);

            int length = PagePatch.Create(older, newer, lowEnd, highEnd == 0 ? 0 : highStart, highEnd, patch);
            int whole = PagePatch.Create(older, newer, new byte[patch.Length]);
            byte[] patched = [.. older];
            string where = $"seed {seed}, {i}: before {lowEnd}, from {highStart} to {highEnd}";
            Assert.True(PagePatch.TryApply(patch.AsSpan(0, length), patched), where);
            Assert.True(newer.AsSpan().SequenceEqual(patched), where);
            Assert.True(length <= whole + sizeof(int), $"{where}: {length} bytes, {whole} by comparing all");
        }
    }

    [Fact]
    public void A_patch_of_the_parts_that_changed_ignores_bytes_outside_of_them()
    {
        byte[] newer = new byte[Size];
        newer[999] = newer[5_000] = newer[7_000] = 1;
        byte[] patch = new byte[PagePatch.SizeMax(Size)];
        int length = PagePatch.Create(new byte[Size], newer, 1_000, 6_500, 7_500, patch);
        byte[] patched = new byte[Size];
        Assert.True(PagePatch.TryApply(patch.AsSpan(0, length), patched));
        Assert.Equal([999, 7_000], Enumerable.Range(0, Size).Where(place => patched[place] != 0));
    }

    private static void Change(Span<byte> part, Random random)
    {
        for (int i = random.Next(6); i > 0 && part.Length > 0; i--)
        {
            int start = random.Next(part.Length);
            random.NextBytes(part[start..Math.Min(part.Length, start + random.Next(1, 90))]);
        }
    }
}
