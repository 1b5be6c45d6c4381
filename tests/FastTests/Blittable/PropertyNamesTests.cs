using System.Globalization;
using System.Text;
using Raven.Blittable.Writing;

namespace FastTests.Blittable;

/// <summary>The names that a writer has seen, and those that its document uses.</summary>
public sealed class PropertyNamesTests
{
    [Fact]
    [Trait("Invariant", "NAMES-1")]
    public void A_name_keeps_its_index_over_documents_until_all_are_forgotten()
    {
        PropertyNames names = new();
        names.Begin();
        int[] first = [.. Enumerable.Range(0, 500).Select(Intern)];
        Assert.Equal(first.Length, first.Distinct().Count());
        Assert.Equal(first, Enumerable.Range(0, 500).Select(Intern));
        Assert.False(names.Begin(), "The cache was not cleared.");
        Assert.Equal(Enumerable.Reverse(first), Enumerable.Range(0, 500).Reverse().Select(Intern));
        Assert.Equal("name7", Encoding.ASCII.GetString(names.TextOf(first[7])));
        Assert.True(names.Begin(keeps: false), "The cache was cleared.");
        Assert.Equal(0, Intern(499));

        int Intern(int number) =>
            names.Intern(Encoding.ASCII.GetBytes("name" + number.ToString(CultureInfo.InvariantCulture)));
    }

    [Fact]
    [Trait("Invariant", "NAMES-3")]
    public void Ids_are_given_in_the_order_in_which_a_document_first_uses_its_names()
    {
        PropertyNames names = new();
        names.Begin();
        int a = names.Intern("a"u8);
        int b = names.Intern("b"u8);
        int c = names.Intern("c"u8);
        Assert.Equal((0, 1, 0, 2, 1), (names.IdOf(c), names.IdOf(a), names.IdOf(c), names.IdOf(b), names.IdOf(a)));
        Assert.Equal("a", Encoding.ASCII.GetString(names.TextOfId(1)));
        names.Begin();
        Assert.Equal((0, 1), (names.IdOf(b), names.IdOf(c)));
        Assert.Equal(2, names.DocumentCount);
    }
}
