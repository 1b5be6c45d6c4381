using System.Buffers;
using System.Text;
using Raven.Documents.Ids;

namespace FastTests.Documents;

/// <summary>The folding that makes keys out of ids: frozen, so that a key on disk is found for ever.</summary>
public sealed class CaseFoldingTests
{
    /// <summary>Set to 1 to rewrite the generated table; then read the difference before committing it.</summary>
    private const string UpdateVariable = "DEV_UPDATE_GOLDEN";

    private const ulong ListHash = 6816531559049801563;

    private static readonly Dictionary<int, int> List = CaseFoldingSource.ReadList();

    [Fact]
    [Trait("Invariant", "FOLD-1")]
    public void The_folding_table_in_the_source_is_what_the_generator_makes_of_the_frozen_list()
    {
        string expected = CaseFoldingSource.Generate(List);
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            File.WriteAllText(CaseFoldingSource.TablePath, expected);
        }

        Assert.Equal(expected, File.ReadAllText(CaseFoldingSource.TablePath).ReplaceLineEndings("\n"));
    }

    [Fact]
    [Trait("Invariant", "FOLD-1")]
    public void The_frozen_list_of_foldings_is_that_of_Unicode_15()
    {
        Assert.Equal(1454, List.Count);
        ulong hash = 14695981039346656037;
        foreach ((int from, int to) in List.OrderBy(pair => pair.Key))
        {
            hash = unchecked((hash ^ (((ulong)from << 32) | (uint)to)) * 1099511628211);
        }

        Assert.Equal(ListHash, hash);
    }

    [Fact]
    [Trait("Invariant", "FOLD-1")]
    public void Every_code_point_folds_as_the_frozen_list_says()
    {
        for (int codePoint = 0; codePoint <= 0x10FFFF; codePoint++)
        {
            int expected = List.GetValueOrDefault(codePoint, codePoint);
            if (CaseFolding.Fold(codePoint) != expected)
            {
                Assert.Fail($"U+{codePoint:X4} folds to U+{CaseFolding.Fold(codePoint):X4}, not U+{expected:X4}.");
            }
        }
    }

    [Fact]
    [Trait("Invariant", "FOLD-2")]
    [Trait("Invariant", "FOLD-3")]
    public void Every_scalar_in_UTF8_folds_as_its_code_point_and_folding_again_changes_nothing()
    {
        byte[] source = new byte[4];
        byte[] once = new byte[4];
        byte[] twice = new byte[4];
        for (int codePoint = 0x20; codePoint <= 0x10FFFF; codePoint++)
        {
            if (!Rune.TryCreate(codePoint, out Rune rune))
            {
                continue;
            }

            int length = rune.EncodeToUtf8(source);
            bool isFolded = CaseFolding.Fold(source.AsSpan(0, length), once, out int put, out _)
                    == CaseFoldingStatus.Done
                && Rune.DecodeFromUtf8(once.AsSpan(0, put), out Rune folded, out _) == OperationStatus.Done
                && folded.Value == List.GetValueOrDefault(codePoint, codePoint);
            bool isSameAgain = CaseFolding.Fold(once.AsSpan(0, put), twice, out int again, out _)
                    == CaseFoldingStatus.Done
                && once.AsSpan(0, put).SequenceEqual(twice.AsSpan(0, again));
            if (!isFolded || !isSameAgain)
            {
                Assert.Fail($"U+{codePoint:X4}");
            }
        }
    }

    [Fact]
    public void A_text_folds_as_its_code_points_at_every_offset_in_an_eight_byte_word()
    {
        Random random = new(20261121);
        byte[] target = new byte[1024];
        for (int round = 0; round < 5000; round++)
        {
            StringBuilder text = new();
            StringBuilder expected = new();
            for (int i = random.Next(1, 40); i > 0; i--)
            {
                int codePoint = random.Next(4) > 0 ? random.Next(0x20, 0x7F) : random.Next(0xA0, 0x2D00);
                text.Append(new Rune(codePoint));
                expected.Append(new Rune(List.GetValueOrDefault(codePoint, codePoint)));
            }

            byte[] source = Encoding.UTF8.GetBytes(text.ToString());
            Assert.Equal(CaseFoldingStatus.Done, CaseFolding.Fold(source, target, out int written, out _));
            Assert.Equal(expected.ToString(), Encoding.UTF8.GetString(target.AsSpan(0, written)));
        }
    }
}
