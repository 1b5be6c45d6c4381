using System.Linq.Expressions;
using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;

// What is written here is translated and not run on texts of the server: the analyzers' better forms are other queries.
#pragma warning disable CA1304, CA1309, CA1311, CA1829, CA1862, CA1866

namespace FastTests.Client;

/// <summary>Parts of a value in a query: those that the server can be asked for find what LINQ finds in a list, and
/// each other one is refused by a sentence that says what to do.</summary>
public sealed class QueryValuePartTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private static readonly string[] Lower = ["ann", "cid"];

    private static readonly Item[] Items =
    [
        new() { Name = "Ann", Placed = new DateTime(2023, 12, 31, 23, 59, 59), Day = new DateOnly(2024, 1, 1) },
        new() { Name = "BOB", Placed = new DateTime(2024, 1, 1), Day = new DateOnly(2023, 12, 31) },
        new() { Name = "cid", Placed = new DateTime(2024, 12, 31, 12, 0, 0), Day = new DateOnly(2025, 6, 1) },
        new() { Name = "Dan", Placed = new DateTime(2025, 1, 1, 0, 0, 1), Day = new DateOnly(2024, 2, 29) },
    ];

    [Fact]
    [Trait("Fault", "B15")]
    public async Task Conditions_on_parts_of_dates_and_texts_find_what_LINQ_finds()
    {
        using DocumentStore store = fixture.NewStore();
        using (IDocumentSession session = store.OpenSession())
        {
            Array.ForEach(Items, item => session.Store(item, item.Name));
            session.SaveChanges();
        }

        DateTime day = new(2024, 1, 1);
        DateTime noon = day.AddHours(12);
        Expression<Func<Item, bool>>[] conditions =
        [
            item => item.Placed.Year == 2024, item => item.Placed.Year != 2024, item => item.Placed.Year < 2024,
            item => item.Placed.Year <= 2024, item => item.Placed.Year > 2024, item => 2024 <= item.Placed.Year,
            item => item.Day.Year == 2024, item => item.Day.Year == 2024 && item.Name != "Ann",
            item => item.Placed.Date == day, item => item.Placed.Date != day, item => item.Placed.Date < day,
            item => item.Placed.Date <= day, item => item.Placed.Date > day, item => item.Placed.Date >= day,
            item => item.Placed.Date == noon, item => item.Placed.Date < noon, item => item.Placed.Date > noon,
            item => item.Name.ToLower() == "bob", item => item.Name.ToLowerInvariant() == "BOB",
            item => item.Name.ToUpper() == "DAN", item => item.Name.ToUpperInvariant() != "CID",
            item => item.Name.ToLower() != "Cid", item => item.Name.ToLower().StartsWith("a"),
            item => item.Name.ToLower().StartsWith("A"), item => item.Name.ToUpper().EndsWith("B"),
            item => Lower.Contains(item.Name.ToLower()), item => Lower.Contains(item.Name.ToUpper()),
            item => item.Name.ToLower().Equals("ann"),
        ];
        using IAsyncDocumentSession asked = store.OpenAsyncSession(new SessionOptions { NoTracking = true });
        asked.Advanced.MaxNumberOfRequestsPerSession = 1000;
        foreach (Expression<Func<Item, bool>> condition in conditions)
        {
            List<Item> found = await asked.Query<Item>().Customize(how => how.WaitForNonStaleResults()).Where(condition)
                .OrderBy(item => item.Name.ToLower()).ToListAsync();
            string names = string.Join(' ', found.Select(item => item.Name));
            string expected = string.Join(' ', Items.Where(condition.Compile()).Select(item => item.Name));
            Assert.True(expected == names, $"{condition}: '{names}' instead of '{expected}'");
        }
    }

    [Fact]
    [Trait("Fault", "B15")]
    public void An_unsupported_part_of_a_value_is_refused_with_what_to_do_instead()
    {
        Refuse("a range of dates", item => item.Placed.Month == 5);
        Refuse("a range of dates", item => item.Placed.DayOfWeek == DayOfWeek.Monday);
        Refuse("a range of dates", item => item.Placed.AddDays(1) > new DateTime(2024, 1, 1));
        Refuse("years are from 1", item => item.Placed.Year == 10_000);
        Refuse("map it in an index (Length = ...)", item => item.Name.Length > 3);
        Refuse("map it in an index (Count = ...)", item => item.Tags.Count > 3);
        Refuse("map it in an index (Count = ...)", item => item.Tags.Count() > 3);
        Refuse("map it in an index (Trim = ...)", item => item.Name.Trim() == "a");
        Refuse("map what it gives in an index", item => string.IsNullOrWhiteSpace(item.Name));
    }

    private static void Refuse(string says, Expression<Func<Item, bool>> condition)
    {
        using var store = new DocumentStore { Urls = ["http://127.0.0.1:1"], Database = "none" };
        store.Initialize();
        using IDocumentSession session = store.OpenSession();
        NotSupportedException refused = Assert.Throws<NotSupportedException>(
            () => session.Query<Item>().Where(condition).ToString());
        Assert.Contains(says, refused.Message, StringComparison.Ordinal);
    }

    private sealed class Item
    {
        public string Name { get; set; } = "";

        public DateTime Placed { get; set; }

        public DateOnly Day { get; set; }

        public List<string> Tags { get; set; } = [];
    }
}
