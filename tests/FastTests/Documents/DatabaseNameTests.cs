using Raven.Documents.Catalog;

namespace FastTests.Documents;

/// <summary>A database's name becomes a folder: what may be one, and which folder.</summary>
public sealed class DatabaseNameTests
{
    [Theory]
    [InlineData("a")]
    [InlineData("Northwind")]
    [InlineData("my_db.v2-final")]
    [InlineData("0")]
    [InlineData("_")]
    [InlineData("a..b")]
    [Trait("Invariant", "NAME-1")]
    public void A_database_name_of_letters_digits_dots_dashes_and_underscores_is_valid(string name) =>
        Assert.True(DatabaseName.IsValid(name));

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData(".hidden")]
    [InlineData("trailing.")]
    [InlineData("a/b")]
    [InlineData("a\\b")]
    [InlineData("../x")]
    [InlineData("a b")]
    [InlineData("a\0b")]
    [InlineData("caf\u00E9")]
    [InlineData("\u212A")]
    [InlineData("a:b")]
    [InlineData("a%2e")]
    [Trait("Invariant", "NAME-1")]
    [Trait("Invariant", "NAME-2")]
    public void A_database_name_that_could_be_a_path_or_hidden_is_refused(string name) =>
        Assert.False(DatabaseName.IsValid(name));

    [Fact]
    [Trait("Invariant", "NAME-1")]
    public void A_database_name_has_at_most_128_characters()
    {
        Assert.True(DatabaseName.IsValid(new string('a', 128)));
        Assert.False(DatabaseName.IsValid(new string('a', 129)));
    }

    [Fact]
    [Trait("Invariant", "NAME-3")]
    public void Database_names_that_differ_in_case_have_one_folder_and_no_folder_has_the_name_of_a_device()
    {
        Assert.Equal("northwind", DatabaseName.FolderOf("NorthWind"));
        string[] devices = ["con", "prn", "aux", "nul", "com1", "lpt9"];
        foreach (string device in devices)
        {
            Assert.Equal(device + "~", DatabaseName.FolderOf(device.ToUpperInvariant()));
            Assert.Equal(device + ".x~", DatabaseName.FolderOf(device + ".x"));
        }

        Assert.Equal("console", DatabaseName.FolderOf("console"));
        Assert.Equal("com", DatabaseName.FolderOf("com"));
        Assert.Equal("abc1", DatabaseName.FolderOf("abc1"));
    }

    [Fact]
    [Trait("Invariant", "NAME-3")]
    public void No_two_database_names_share_a_folder_unless_they_differ_only_in_case()
    {
        Random random = new(20261121);
        const string letters = "aAcCoOnN1._-mM";
        Dictionary<string, string> nameOf = [];
        for (int i = 0; i < 50_000; i++)
        {
            IEnumerable<int> places = Enumerable.Range(0, random.Next(1, 6));
            string name = new([.. places.Select(_ => letters[random.Next(letters.Length)])]);
            if (DatabaseName.IsValid(name))
            {
                string other = nameOf.GetValueOrDefault(DatabaseName.FolderOf(name), name);
                Assert.Equal(other, name, ignoreCase: true);
                nameOf[DatabaseName.FolderOf(name)] = name;
            }
        }
    }
}
