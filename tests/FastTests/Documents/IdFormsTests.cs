using System.Text;
using System.Text.RegularExpressions;
using Raven.Documents.Commands;
using Raven.Documents.Ids;

namespace FastTests.Documents;

/// <summary>Ids that the server completes, ranges that it reserves, and patterns over ids.</summary>
public sealed class IdFormsTests
{
    [Theory]
    [InlineData("", nameof(IdRequestKind.Guid))]
    [InlineData("/", nameof(IdRequestKind.Sequence))]
    [InlineData("users/", nameof(IdRequestKind.Sequence))]
    [InlineData("users|", nameof(IdRequestKind.Identity))]
    [InlineData("users/1", nameof(IdRequestKind.Exact))]
    [InlineData("users|1", nameof(IdRequestKind.Exact))]
    public void The_last_character_of_an_id_decides_how_the_server_completes_it(string id, string expected) =>
        Assert.Equal(expected, ServerMadeId.KindOf(Encoding.UTF8.GetBytes(id)).ToString());

    [Fact]
    public void Completed_ids_have_the_documented_forms()
    {
        byte[] target = new byte[100];
        Assert.Equal("u/0000000000000000001-A", Text(ServerMadeId.WriteSequence("u/"u8, 1, target)));
        Assert.Equal("u/9223372036854775807-A", Text(ServerMadeId.WriteSequence("u/"u8, long.MaxValue, target)));
        Assert.Equal("users/7", Text(ServerMadeId.WriteIdentity("users|"u8, 7, target)));
        Guid guid = new("5c1ba1b9-0b3c-4b0c-a9a0-8b8d5d6b4a3e");
        Assert.Equal(guid.ToString(), Text(ServerMadeId.WriteGuid(guid, target)));

        string Text(int length) => Encoding.UTF8.GetString(target.AsSpan(0, length));
    }

    [Fact]
    public void A_HiLo_range_grows_for_a_client_that_asks_again_soon_and_shrinks_for_one_that_asks_late()
    {
        Assert.Equal(32, HiLoRange.NextSize(0, null));
        Assert.Equal(32, HiLoRange.NextSize(1000, null));
        Assert.Equal(64, HiLoRange.NextSize(32, TimeSpan.FromSeconds(1)));
        Assert.Equal(64, HiLoRange.NextSize(64, TimeSpan.FromMinutes(1)));
        Assert.Equal(32, HiLoRange.NextSize(64, TimeSpan.FromHours(1)));
        Assert.Equal(32, HiLoRange.NextSize(32, TimeSpan.FromHours(1)));
        Assert.Equal(HiLoRange.SizeMax, HiLoRange.NextSize(long.MaxValue / 2, TimeSpan.Zero));
        Assert.Equal(32, HiLoRange.NextSize(-5, TimeSpan.Zero));
    }

    [Fact]
    public void A_HiLo_range_begins_behind_the_last_range_and_the_number_that_the_client_names()
    {
        Assert.Equal(new HiLoRange(1, 32), HiLoRange.After(0, 0, 32));
        Assert.Equal(new HiLoRange(33, 96), HiLoRange.After(32, 0, 64));
        Assert.Equal(new HiLoRange(101, 132), HiLoRange.After(32, 100, 32));
    }

    [Theory]
    [InlineData("*", "", true)]
    [InlineData("", "", true)]
    [InlineData("", "a", false)]
    [InlineData("1*", "123", true)]
    [InlineData("*3", "123", true)]
    [InlineData("1?3", "123", true)]
    [InlineData("1?3", "13", false)]
    [InlineData("?", "\u05D0", true)]
    [InlineData("?", "\U0001F600", true)]
    [InlineData("*\u05D0?", "xx\u05D0\u05D1", true)]
    [InlineData("a|b*|c", "bcd", true)]
    [InlineData("a|b|c", "d", false)]
    [InlineData("a*b*c", "axxbxxbxc", true)]
    [InlineData("a*b*c", "axxbxxbx", false)]
    [InlineData("**", "anything", true)]
    public void A_pattern_of_ids_matches_the_whole_text(string patterns, string text, bool expected) =>
        Assert.Equal(expected, IdPattern.IsMatch(Encoding.UTF8.GetBytes(patterns), Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void A_pattern_of_ids_matches_what_its_regular_expression_matches()
    {
        Random random = new(7);
        for (int round = 0; round < 20_000; round++)
        {
            string pattern = Any(random, "ab*?\u05D0|", 8);
            string text = Any(random, "ab\u05D0", 10);
            string regex = "^(" + string.Join('|', pattern.Split('|').Select(one =>
                Regex.Escape(one).Replace("\\*", ".*").Replace("\\?", "."))) + ")$";
            bool expected = Regex.IsMatch(text, regex, RegexOptions.CultureInvariant);
            bool actual = IdPattern.IsMatch(Encoding.UTF8.GetBytes(pattern), Encoding.UTF8.GetBytes(text));
            Assert.True(expected == actual, $"'{pattern}' and '{text}': {actual}");
        }
    }

    private static string Any(Random random, string letters, int lengthMax) =>
        new([.. Enumerable.Range(0, random.Next(lengthMax)).Select(_ => letters[random.Next(letters.Length)])]);
}
