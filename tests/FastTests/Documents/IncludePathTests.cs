using System.Text;
using FastTests.Support;
using Raven.Blittable.Reading;
using Raven.Documents;

namespace FastTests.Documents;

/// <summary>The ids that a document refers to.</summary>
public sealed class IncludePathTests : IDisposable
{
    private const string Order = """
        {"Customer":"customers/1","Same":"CUSTOMERS/1","Number":17,"Ratio":1.5,"Nothing":null,"Yes":true,"Empty":"",
         "Tags":["t/1","t/2",["t/3"]],
         "Lines":[{"Product":"p/1"},{"Product":"p/2"},{"Other":1},{"Product":"p/1"}],
         "Ship":{"Region":{"Id":"regions/9"}},
         "Map":{"a/1":{"Id":"v/1"},"a/2":{"Id":"v/2"}},
         "Long":"LONG"}
        """;

    private readonly TestDatabase _database = new();
    private readonly DistinctIds _ids = new(hashSeed: 42);

    public void Dispose() => _database.Dispose();

    [Theory]
    [InlineData("Customer", "customers/1")]
    [InlineData("Ship.Region.Id", "regions/9")]
    [InlineData("Tags", "t/1,t/2,t/3")]
    [InlineData("Lines.Product", "p/1,p/2")]
    [InlineData("Lines[].Product", "p/1,p/2")]
    [InlineData("Number", "17")]
    [InlineData("Number(people/)", "people/17")]
    [InlineData("Customer(x/)", "x/customers/1")]
    [InlineData("Number[orders/{0}/2026]", "orders/17/2026")]
    [InlineData("Ratio(r/)", "r/1.5")]
    [InlineData("Map.$Keys", "a/1,a/2")]
    [InlineData("Map.$Values.Id", "v/1,v/2")]
    [InlineData("Nothing", "")]
    [InlineData("Yes", "")]
    [InlineData("Empty", "")]
    [InlineData("Empty(x/)", "")]
    [InlineData("Ship", "")]
    [InlineData("Missing.Path", "")]
    [InlineData("Customer.Name", "")]
    [InlineData("", "")]
    [InlineData("[", "")]
    [InlineData("]", "")]
    [InlineData(")", "")]
    [InlineData("Long", "")]
    public void An_include_path_finds_the_ids_in_a_document(string path, string expected)
    {
        BlittableObject document = Open();
        IncludePath.Collect(document, Encoding.UTF8.GetBytes(path), _ids);
        Assert.Equal(expected, string.Join(',', Ids()));
    }

    [Fact]
    public void Included_ids_are_collected_once_in_the_order_in_which_they_occur()
    {
        BlittableObject document = Open();
        foreach (string path in new[] { "Lines.Product", "Same", "Customer", "Tags" })
        {
            IncludePath.Collect(document, Encoding.UTF8.GetBytes(path), _ids);
        }

        Assert.Equal(["p/1", "p/2", "CUSTOMERS/1", "t/1", "t/2", "t/3"], Ids());
        Assert.True(_ids.Contains("customers/1"u8));
        Assert.False(_ids.Contains("customers/2"u8));
        Assert.Equal("customers/1", TestDatabase.Text(_ids.KeyOf(2)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(40)]
    [InlineData(300)]
    [InlineData(500)]
    public void Included_ids_of_every_length_are_found_in_plain_and_compressed_strings(int length)
    {
        string id = string.Concat(Enumerable.Repeat("the customers and the orders of ", 20))[..length];
        _ids.Reset(_database.FreshContext());
        IncludePath.Collect(_database.Parse($$"""{"Ref":"{{id}}"}"""), "Ref"u8, _ids);
        Assert.Equal([id], Ids());
    }

    [Fact]
    public void Many_different_included_ids_are_collected()
    {
        _ids.Reset(_database.FreshContext());
        for (int i = 0; i < 5000; i++)
        {
            Assert.Equal(i < 2500, _ids.Add(Encoding.UTF8.GetBytes($"Id/{i % 2500}")));
        }

        Assert.Equal(Enumerable.Range(0, 2500).Select(i => $"Id/{i}"), Ids());
        Assert.False(_ids.Add(""u8));
        Assert.False(_ids.Add("a\u001e"u8));
    }

    [Fact]
    public void Collecting_included_ids_allocates_nothing()
    {
        BlittableObject document = Open();
        Assert.Equal(0, Allocated.Least(() =>
        {
            IncludePath.Collect(document, "Lines[].Product"u8, _ids);
            IncludePath.Collect(document, "Number(people/)"u8, _ids);
        }));
        Assert.Equal(3, _ids.Count);
    }

    private BlittableObject Open()
    {
        _ids.Reset(_database.FreshContext());
        return _database.Parse(Order.Replace("LONG", new string('x', 5000)));
    }

    private string[] Ids() => [.. Enumerable.Range(0, _ids.Count).Select(i => TestDatabase.Text(_ids[i]))];
}
