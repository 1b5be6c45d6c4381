using System.Text;
using FastTests.Blittable;
using FastTests.Compression;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace SlowTests.Blittable;

/// <summary>The rows of the fast tests, many more of them, and the parser alone on millions of broken texts.</summary>
[Trait(Category.Shard, "blittable")]
public sealed class BlittableFuzzTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_hundred_thousand_texts_are_judged_as_the_runtime_judges_them(int seed) =>
        JsonAgreement.Run(seed, texts: 100_000);

    [Fact]
    public void Every_two_cuts_of_a_thousand_short_texts_give_the_same()
    {
        using JsonAgreement agreement = new(seed: 4);
        for (int i = 0; i < 1000; i++)
        {
            agreement.CheckEveryTwoCuts(agreement.NextText(lengthMax: 64));
        }
    }

    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    public void A_million_damaged_documents_are_refused_or_can_be_read(int seed)
    {
        if (GuardedBuffer.IsSupported)
        {
            Assert.InRange(DocumentMutation.Run(seed, mutations: 1_000_000), 1000, 500_000);
        }
    }

    [Theory]
    [InlineData(21)]
    [InlineData(22)]
    public void Five_million_broken_texts_end_in_a_document_or_an_error_inside_the_text(int seed)
    {
        if (!GuardedBuffer.IsSupported)
        {
            return;
        }

        const int texts = 5_000_000;
        Random random = new(seed);
        using OperationContext context = new();
        using GuardedBuffer guarded = new(1 << 16);
        int accepted = 0;
        byte[] original = [];
        for (int i = 0; i < texts; i++)
        {
            if (i % 200 == 0)
            {
                original = Encoding.UTF8.GetBytes(RandomJson.Make(random, random.Next(1, 4)));
                original = original[..Math.Min(original.Length, 1500)];
            }

            Span<byte> text = guarded.AtEnd(original.Length);
            original.CopyTo(text);
            for (int change = random.Next(1, 4); change > 0; change--)
            {
                text[random.Next(text.Length)] = random.Next(2) == 0
                    ? (byte)random.Next(256)
                    : "{}[]\",:\\u0e-.tn"u8[random.Next(15)];
            }

            if (Parse(context, text, $"seed {seed}, text {i}"))
            {
                accepted++;
            }
        }

        Assert.InRange(accepted, texts / 100, texts);
    }

    private static bool Parse(OperationContext context, ReadOnlySpan<byte> text, string which)
    {
        context.Reset();
        if (!context.Parser.TryParseValue(text, BlittableMode.ToDisk, out BlittableValue value, out JsonError error))
        {
            Assert.True(error.Byte <= text.Length && error.Line > 0 && error.Column > 0, which);
            return false;
        }

        Assert.True(BlittableValidator.TryValidate(value.Memory.Span, 128, out BlittableError bad), $"{which}: {bad}");
        return true;
    }
}
