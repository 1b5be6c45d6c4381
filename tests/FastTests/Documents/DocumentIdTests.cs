using System.Text;
using FastTests.Support;
using Raven.Documents.Ids;

namespace FastTests.Documents;

/// <summary>What may be an id, and which ids are the same document.</summary>
public sealed class DocumentIdTests
{
    [Theory]
    [InlineData("users/1", "USERS/1")]
    [InlineData("\u212A", "k")]
    [InlineData("\u023A", "\u2C65")]
    [InlineData("\u017F", "S")]
    [InlineData("\u03A3", "\u03C2")]
    [InlineData("\u1E9E", "\u00DF")]
    [InlineData("\U00010400", "\U00010428")]
    [InlineData("CaFÉ/\U0001F600/שלום", "café/\U0001F600/שלום")]
    [Trait("Invariant", "ID-3")]
    public void Ids_that_differ_only_in_case_have_one_key(string left, string right) =>
        Assert.Equal(KeyOf(left), KeyOf(right));

    [Theory]
    [InlineData("users/1", "users/2")]
    [InlineData("\u00E9", "e\u0301")]
    [InlineData("I", "\u0131")]
    [InlineData("i", "\u0130")]
    [InlineData("stra\u00DFe", "strasse")]
    [InlineData("a b", "a  b")]
    [InlineData("שלום", "שלום ")]
    [InlineData("%20", " ")]
    [Trait("Invariant", "ID-4")]
    [Trait("Invariant", "FOLD-4")]
    public void Ids_that_differ_in_more_than_case_have_two_keys(string left, string right) =>
        Assert.NotEqual(KeyOf(left), KeyOf(right));

    [Fact]
    public void An_id_without_case_is_its_own_key()
    {
        string[] ids = ["123", "שלום", "日本語", "\U0001F468\u200D\U0001F469", "a\u007Fb", "\u0080"];
        foreach (string id in ids)
        {
            Assert.Equal(id, KeyOf(id));
        }
    }

    [Fact]
    [Trait("Invariant", "ID-2")]
    public void A_zero_or_a_separator_of_keys_in_an_id_is_refused_with_its_position()
    {
        for (int position = 0; position < 20; position++)
        {
            foreach (byte bad in (byte[])[0, 0x1E, 0x1F])
            {
                byte[] id = "abcdefghijklmnopqrst"u8.ToArray();
                id[position] = bad;
                AssertRefused(id, DocumentIdProblem.ControlCharacter, position);
            }
        }
    }

    [Fact]
    [Trait("Fault", "E30")]
    public void Every_other_control_character_in_an_id_is_kept()
    {
        for (int position = 0; position < 20; position++)
        {
            for (byte control = 1; control < 0x1E; control++)
            {
                byte[] id = "abcdefghijklmnopqrst"u8.ToArray();
                id[position] = control;
                byte[] key = new byte[DocumentId.SizeBytesMax];
                Assert.True(DocumentId.TryFold(id, key, out int length, out _));
                Assert.Equal(id, key[..length]);
            }
        }
    }

    [Fact]
    [Trait("Invariant", "ID-1")]
    public void An_id_has_1_to_512_bytes()
    {
        AssertRefused([], DocumentIdProblem.Empty, 0);
        Assert.True(DocumentId.TryValidate(Bytes('a', 512), out _));
        AssertRefused(Bytes('a', 513), DocumentIdProblem.TooLong, 513);
    }

    [Fact]
    [Trait("Invariant", "ID-1")]
    [Trait("Invariant", "FOLD-2")]
    public void An_id_that_grows_in_folding_must_have_at_most_512_bytes_after_it()
    {
        // U+023A is 2 bytes and folds to U+2C65, which is 3: 170 of them are 510 bytes, 171 are 513.
        Assert.True(DocumentId.TryValidate(Encoding.UTF8.GetBytes(new string('\u023A', 170)), out _));
        AssertRefused(
            Encoding.UTF8.GetBytes(new string('\u023A', 171)), DocumentIdProblem.TooLongAfterFolding, 340);

        // U+212A shrinks from 3 bytes to 1, but the id itself is what the client sees.
        Assert.True(DocumentId.TryValidate(Encoding.UTF8.GetBytes(new string('\u212A', 170)), out _));
        AssertRefused(Encoding.UTF8.GetBytes(new string('\u212A', 171)), DocumentIdProblem.TooLong, 513);
    }

    [Theory]
    [InlineData(new byte[] { (byte)'a', 0x80 }, 1)]
    [InlineData(new byte[] { 0xC0, 0xAF }, 0)]
    [InlineData(new byte[] { (byte)'a', 0xED, 0xA0, 0x80 }, 1)]
    [InlineData(new byte[] { (byte)'a', (byte)'b', 0xE2, 0x82 }, 2)]
    [InlineData(new byte[] { 0xF5, 0x80, 0x80, 0x80 }, 0)]
    public void An_id_that_is_not_UTF8_is_refused_with_the_position_of_the_first_bad_byte(byte[] id, int position) =>
        AssertRefused(id, DocumentIdProblem.NotUtf8, position);

    [Fact]
    public void Every_refusal_of_an_id_has_a_message_of_its_own()
    {
        string[] texts = [.. Enum.GetValues<DocumentIdProblem>().Select(p => new DocumentIdError(p, 7).Describe())];
        Assert.Equal(texts.Length, texts.Distinct().Count());
        Assert.Contains("at byte 7", new DocumentIdError(DocumentIdProblem.ControlCharacter, 7).Describe());
    }

    [Fact]
    public void Folding_an_id_allocates_nothing()
    {
        byte[] id = Encoding.UTF8.GetBytes("Users/0000000000000000001-A/\u212A\u023A\U0001F600");
        byte[] key = new byte[DocumentId.SizeBytesMax];
        bool folded = true;
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 1000; i++)
            {
                folded &= DocumentId.TryFold(id, key, out _, out _);
            }
        }));
        Assert.True(folded);
    }

    private static string KeyOf(string id)
    {
        byte[] key = new byte[DocumentId.SizeBytesMax];
        Assert.True(DocumentId.TryFold(Encoding.UTF8.GetBytes(id), key, out int length, out DocumentIdError error),
            error.Describe());
        return Encoding.UTF8.GetString(key.AsSpan(0, length));
    }

    private static byte[] Bytes(char value, int count) => Encoding.UTF8.GetBytes(new string(value, count));

    private static void AssertRefused(byte[] id, DocumentIdProblem problem, int position)
    {
        Assert.False(DocumentId.TryValidate(id, out DocumentIdError error));
        Assert.Equal(new DocumentIdError(problem, position), error);
    }
}
