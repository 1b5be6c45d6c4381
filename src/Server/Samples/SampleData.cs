using System.IO.Compression;
using System.Text;
using Raven.Documents.Indexing.Definitions;

namespace Raven.Server.Samples;

/// <summary>The documents and indexes of the examples in guides: companies, orders, products.</summary>
internal static class SampleData
{
    private const string Total = "order.Lines.Sum(l => (l.Quantity * l.PricePerUnit) * (1 - l.Discount))";

    internal static IReadOnlyList<IndexDefinition> Indexes { get; } =
    [
        new IndexDefinition
        {
            Name = "Companies/ByCountry",
            Maps = ["from c in docs.Companies\nselect new { c.Address.Country, Count = 1 }"],
            Reduce = "from result in results\ngroup result by result.Country into g\n"
                + "select new { Country = g.Key, Count = g.Sum(x => x.Count) }",
        },
        new IndexDefinition
        {
            Name = "Employees/ByName",
            Maps = ["from e in docs.Employees\nselect new { e.FirstName, e.LastName, e.Title }"],
            Fields = new Dictionary<string, IndexFieldOptions>
            {
                ["Title"] = new() { Indexing = FieldIndexing.Search },
            },
        },
        new IndexDefinition
        {
            Name = "Orders/ByCompany",
            Maps =
            [
                $"from order in docs.Orders\nselect new {{ order.Company, Count = 1, Total = {Total} }}",
            ],
            Reduce = "from result in results\ngroup result by result.Company into g\n"
                + "select new { Company = g.Key, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }",
        },
        new IndexDefinition
        {
            Name = "Orders/ByShipment/Location",
            Maps =
            [
                "from order in docs.Orders\nwhere order.ShipTo.Location != null\n"
                + "select new { order.Employee, order.Company, ShipmentLocation = CreateSpatialField("
                + "order.ShipTo.Location.Latitude, order.ShipTo.Location.Longitude) }",
            ],
        },
        new IndexDefinition
        {
            Name = "Orders/Totals",
            Maps = [$"from order in docs.Orders\nselect new {{ order.Employee, order.Company, Total = {Total} }}"],
        },
        new IndexDefinition
        {
            Name = "Product/Search",
            Maps =
            [
                "from p in docs.Products\nselect new { p.Name, p.Category, p.Supplier, p.PricePerUnit }",
            ],
            Fields = new Dictionary<string, IndexFieldOptions>
            {
                ["Name"] = new() { Indexing = FieldIndexing.Search, IsStored = true, HasSuggestions = true },
            },
        },
        new IndexDefinition
        {
            Name = "Products/ByUnitOnStock",
            Maps = ["from p in docs.Products\nselect new { p.UnitsInStock, p.Discontinued }"],
        },
    ];

    /// <summary>The pictures of categories and employees: the document, the name, and a JPEG.</summary>
    internal static IEnumerable<(string Id, string Name, byte[] Bytes)> Pictures()
    {
        using Stream packed = typeof(SampleData).Assembly.GetManifestResourceStream("pictures.zip")!;
        using var archive = new ZipArchive(packed, ZipArchiveMode.Read);
        foreach (ZipArchiveEntry entry in archive.Entries)
        {
            using Stream content = entry.Open();
            using var bytes = new MemoryStream();
            content.CopyTo(bytes);
            int end = entry.FullName.LastIndexOf('/');
            yield return (entry.FullName[..end], entry.FullName[(end + 1)..], bytes.ToArray());
        }
    }

    /// <summary>The documents: id and JSON, UTF-8.</summary>
    internal static IEnumerable<(string Id, byte[] Json)> Documents()
    {
        using Stream packed = typeof(SampleData).Assembly.GetManifestResourceStream("northwind.tsv.gz")!;
        using var unpacked = new GZipStream(packed, CompressionMode.Decompress);
        using var lines = new StreamReader(unpacked, Encoding.UTF8);
        while (lines.ReadLine() is { } line)
        {
            int tab = line.IndexOf('\t', StringComparison.Ordinal);
            yield return (line[..tab], Encoding.UTF8.GetBytes(line[(tab + 1)..]));
        }
    }
}
