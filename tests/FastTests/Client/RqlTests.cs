using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;
using Raven.Documents.Queries.Rql;

namespace FastTests.Client;

/// <summary>The text that queries become, which the server's own parser has to read; and what is refused.</summary>
public sealed class RqlTests
{
    private enum Level
    {
        Low,
        High,
    }

    [Fact]
    public void LINQ_conditions_become_RQL_with_parameters()
    {
        string[] names = ["a", "b"];
        Expect("from 'People' where Name = $p0", it => it.Where(x => x.Name == "it's"), "it's");
        Expect("from 'People' where Age >= $p0 and Age < $p1", it => it.Where(x => x.Age >= 3 && 9 > x.Age), 3, 9);
        Expect(
            "from 'People' where (Age = $p0 or Active = true)", it => it.Where(x => x.Age == 1 || x.Active), 1);
        Expect(
            "from 'People' where (Age = $p0 or Age = $p1) and (Name != null)",
            it => it.Where(x => x.Age == 1 || x.Age == 2).Where(x => x.Name != null), 1, 2);
        Expect("from 'People' where true and not (Active = true)", it => it.Where(x => !x.Active));
        Expect("from 'People' where id() = $p0", it => it.Where(x => x.Id == "people/1"), "people/1");
        Expect("from 'People' where Address.City = $p0", it => it.Where(x => x.Address!.City == "Rome"), "Rome");
        Expect("from 'People' where startsWith(Name, $p0)", it => it.Where(x => x.Name!.StartsWith("An")), "An");
        Expect("from 'People' where Level = $p0", it => it.Where(x => x.Level == Level.High), Level.High);
        Expect("from 'People' where Score > $p0", it => it.Where(x => x.Score!.Value > 2), 2.0);
        Expect("from 'People' where Score != null", it => it.Where(x => x.Score.HasValue));
        ExpectText("from 'People' where Name in ($p0)", it => it.Where(x => names.Contains(x.Name)));
        ExpectText("from 'People' where Name in ($p0)", it => it.Where(x => x.Name!.In("a", "b")));
        Expect("from 'People' where Tags = $p0", it => it.Where(x => x.Tags.Contains("a")), "a");
        ExpectText("from 'People' where Tags in ($p0)", it => it.Where(x => x.Tags.ContainsAny(names)));
        ExpectText("from 'People' where Tags all in ($p0)", it => it.Where(x => x.Tags.ContainsAll(names)));
        Expect(
            "from 'People' where Lines[].Product = $p0", it => it.Where(x => x.Lines.Any(l => l.Product == "p")), "p");
    }

    [Fact]
    public void A_condition_that_is_negated_twice_becomes_the_plain_condition()
    {
        const string Kept = "from 'People' where (Name = $p0 and (Age = $p1 or Active = true))";
        Expect(Kept, it => it.Where(x => x.Name == "a" && !!(x.Age == 1 || x.Active)), "a", 1);
        Expect(Kept, it => it.Where(x => x.Name == "a" & !!!!(x.Age == 1 | x.Active)), "a", 1);
        Expect(
            "from 'People' where ((Name = $p0 and Active = true) or Age = $p1)",
            it => it.Where(x => !!(x.Name == "a" && x.Active) || x.Age == 1), "a", 1);
        Expect(
            "from 'People' where (true and not (Name = $p0 and (Age = $p1 or Active = true)))",
            it => it.Where(x => !!!(x.Name == "a" && !!(x.Age == 1 || x.Active))), "a", 1);
    }

    [Fact]
    public void LINQ_orders_pages_and_other_calls_become_RQL()
    {
        ExpectText(
            "from 'People' order by Name, Age as long desc, Score as double limit 5, 10",
            it => it.OrderBy(x => x.Name).ThenByDescending(x => x.Age).ThenBy(x => x.Score).Skip(5).Take(10));
        ExpectText(
            "from 'People' where search(Name, $p0, and) include Friend",
            it => it.Search(x => x.Name, "one two", SearchOperator.And).Include(x => x.Friend));
        ExpectText("from 'People' order by random('a')", it => it.Customize(how => how.RandomOrdering("a")));
        ExpectText(
            "from 'People' order by Age as long, Active, Name", it => it.OrderBy(x => x.Name).OrderBy(x => x.Age)
                .ThenBy(x => x.Active));
    }

    [Fact]
    public void A_LINQ_projection_selects_fields_or_becomes_a_script()
    {
        ExpectText(
            "from 'People' select Name as Name, Address.City as Town, id() as Key",
            it => it.Select(x => new { x.Name, Town = x.Address!.City, Key = x.Id }));
        ExpectText("from 'People' select distinct Age as Value", it => it.Select(x => x.Age).Distinct());
        ExpectText(
            "from 'People' as x select { Sum: (x.Age + $p0), Big: (x.Age > $p1), Count: x.Lines?.length, "
            + "Total: x.Lines?.map(it1 => it1.Quantity).reduce((a, b) => a + b, 0), Up: x.Name?.toUpperCase() }",
            it => it.Select(x => new
            {
                Sum = x.Age + 1,
                Big = x.Age > 18,
                Count = x.Lines.Count,
                Total = x.Lines.Sum(line => line.Quantity),
                Up = x.Name!.ToUpper(),
            }));
        ExpectText(
            "from 'People' group by Name, Age where Active = true select Name as Name, count() as Count, "
            + "sum(Score) as Sum",
            it => it.Where(x => x.Active).GroupBy(x => new { x.Name, x.Age })
                .Select(g => new { g.Key.Name, Count = g.Count(), Sum = g.Sum(x => x.Score) }));
    }

    [Fact]
    public void An_expression_that_cannot_be_translated_is_refused_with_its_text()
    {
        Refuse("Contains(\"bc\")", it => it.Where(x => x.Name!.Contains("bc")));
        Refuse("x.Age.ToString()", it => it.Where(x => x.Age.ToString() == "3"));
        Refuse("x.Age", it => it.Where(x => x.Score == x.Age));
        Refuse("Lines.Any", it => it.Where(x => x.Lines.Any(l => l.Product == "p" && l.Quantity > 1)));
        Refuse("Where", it => it.Take(3).Where(x => x.Age == 1));
        Refuse("Where", it => it.Select(x => new { x.Age }).Where(x => x.Age == 1));
        Refuse("Reverse", it => it.Reverse());
        Refuse("GroupBy", it => it.GroupBy(x => x.Age));
        Refuse("Average", it => it.GroupBy(x => x.Age).Select(g => new { A = g.Average(x => x.Age) }));
        Refuse("Distinct", it => it.Distinct());
        Refuse("Lines.Any", it => it.Where(x => x.Lines.Any(l => l.Product != "p")));
        Refuse("Lines.Any", it => it.Where(x => x.Lines.Any(l => !(l.Product == "p"))));
        Refuse("Length", it => it.Where(x => x.Name!.Length > 3));
        Refuse("Count", it => it.Where(x => x.Tags.Count == 0));
        Refuse("Year", it => it.OrderBy(x => x.Born.Year));
        Refuse("Year", it => it.Select(x => new { x.Born.Year }));
        Refuse("Level", it => it.Where(x => x.Level > Level.Low));
        Refuse("Level", it => it.Select(x => new { Number = (int)x.Level }));
        Refuse("StartsWith", it => it.Select(x => x.Name!.StartsWith("a", StringComparison.OrdinalIgnoreCase)));
    }

    private static void Expect<T>(
        string rql, Func<IRavenQueryable<Person>, IQueryable<T>> query, params object[] parameters)
    {
        IndexQuery translated = ExpectText(rql, query);
        Assert.Equal(parameters, translated.QueryParameters.Values);
    }

    private static IndexQuery ExpectText<T>(string rql, Func<IRavenQueryable<Person>, IQueryable<T>> query)
    {
        using var store = new DocumentStore { Urls = ["http://127.0.0.1:1"], Database = "db" };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IQueryable<T> made = query(session.Query<Person>(collectionName: "People"));
        IndexQuery translated = ((IRavenQueryable<T>)made).ToIndexQuery();
        Assert.Equal(rql, translated.Query);
        Assert.NotNull(RqlParser.Parse(translated.Query));
        return translated;
    }

    private static void Refuse<T>(string names, Func<IRavenQueryable<Person>, IQueryable<T>> query)
    {
        NotSupportedException refused = Assert.Throws<NotSupportedException>(() => ExpectText("", query));
        Assert.Contains(names, refused.Message, StringComparison.Ordinal);
    }

    private sealed class Person
    {
        public string? Id { get; set; }

        public string? Name { get; set; }

        public int Age { get; set; }

        public bool Active { get; set; }

        public double? Score { get; set; }

        public DateTime Born { get; set; }

        public Level Level { get; set; }

        public string? Friend { get; set; }

        public List<string> Tags { get; set; } = [];

        public Address? Address { get; set; }

        public List<Line> Lines { get; set; } = [];
    }
}
