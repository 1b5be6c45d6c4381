using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;
using Raven.Documents.Queries.Rql;

namespace FastTests.Client;

/// <summary>Conversions, kinds of members and arguments that mean something else to the server: what is said
/// otherwise, and what is refused by name.</summary>
public sealed class RqlRefusalTests
{
    private enum Kind
    {
        Zebra = 1,
        Ape,
    }

    [Fact]
    public void A_LINQ_conversion_that_changes_a_value_is_refused()
    {
        Refuse("Convert(x.Price", it => it.Where(x => (int)x.Price == 3));
        Refuse("Convert(x.Score", it => it.Where(x => (int)x.Score > 3));
        Refuse("Convert(x.Qty", it => it.Where(x => (short)x.Qty == 3));
        Refuse("Convert(x.Qty", it => it.Where(x => (ulong)x.Qty == 3));
        Refuse("Convert(x.Price", it => it.Where(x => new[] { 3 }.Contains((int)x.Price)));
        Refuse("Convert(x.Price", it => it.OrderBy(x => (int)x.Price));
        Refuse("Convert(x.Kind", it => it.OrderByDescending(x => (int)x.Kind));
        Refuse("Convert(x.Price", it => it.GroupBy(x => (int)x.Price).Select(g => new { g.Key, N = g.Count() }));
        Refuse(
            "Convert(x.Price",
            it => it.GroupBy(x => x.Name).Select(g => new { g.Key, Sum = g.Sum(x => (int)x.Price) }));
        Refuse("Sum", it => it.GroupBy(x => x.Qty).Select(g => new { g.Key, Sum = g.Sum(x => x.Qty) }));
        Refuse("Convert(g.Key", it => it.GroupBy(x => x.Kind).Select(g => new { K = (int)g.Key, N = g.Count() }));
        Refuse("Convert(x.L", it => it.Select(x => new { Cut = (int)x.L }));
        Refuse("Convert(x.C", it => it.Select(x => new { Code = (int)x.C }));
        Refuse("x.F", it => it.Where(x => x.F > 0.1));
        Refuse("x.L", it => it.Where(x => x.L > 1e17));
    }

    [Fact]
    public void A_LINQ_condition_on_single_characters_of_a_text_is_refused()
    {
        Refuse("not its characters", it => it.Where(x => x.Name!.ContainsAll("Ab")));
        Refuse("not its characters", it => it.Where(x => x.Name!.ToLower().ContainsAll("Ab")));
        Refuse("not its characters", it => it.Where(x => x.Name!.ContainsAny("Ab")));
        Refuse("not its characters", it => it.Where(x => x.Name!.Any(c => c == 'a')));
        Refuse("not its characters", it => it.Where(x => Enumerable.Contains(x.Name!, 'a')));
    }

    [Fact]
    public void A_LINQ_conversion_that_keeps_a_value_is_omitted_in_RQL()
    {
        Expect("from 'Things' where Qty = $p0", it => it.Where(x => x.Qty == 3L), 3L);
        Expect("from 'Things' where Qty > $p0", it => it.Where(x => x.Qty > 1.5), 1.5);
        Expect("from 'Things' where Qty < $p0", it => it.Where(x => x.Qty < 2.5m), 2.5m);
        Expect("from 'Things' where L > $p0", it => it.Where(x => x.L > 1.5), 1.5);
        Expect("from 'Things' where F > $p0", it => it.Where(x => x.F > 0.5), 0.5f);
        Expect("from 'Things' order by Qty as long", it => it.OrderBy(x => (long)x.Qty));
        Expect("from 'Things' order by Qty as long", it => it.OrderBy(x => (object)x.Qty));
        Expect(
            "from 'Things' group by Name select sum(Qty) as Sum",
            it => it.GroupBy(x => x.Name).Select(g => new { Sum = g.Sum(x => (long)x.Qty) }));
    }

    [Fact]
    public void Characters_and_enumeration_values_become_the_values_that_documents_have()
    {
        int[] numbers = [1, 2];
        Expect("from 'Things' where C = $p0", it => it.Where(x => x.C == 'a'), 'a');
        Expect("from 'Things' where C != $p0", it => it.Where(x => 'a' != x.C), 'a');
        Expect("from 'Things' where Kind = $p0", it => it.Where(x => (int)x.Kind == 2), Kind.Ape);
        Expect("from 'Things' where Kind = $p0", it => it.Where(x => (long)x.Kind == 2), Kind.Ape);
        IndexQuery listed = Translate(it => it.Where(x => numbers.Contains((int)x.Kind)));
        Assert.Equal("from 'Things' where Kind in ($p0)", listed.Query);
        Assert.Equal([Kind.Zebra, Kind.Ape], (object[])listed.QueryParameters["p0"]!);
        Assert.Equal(
            ["from 'Things' as x select { A: (x.C === $p0), B: (x.C !== $p1) }", "a", "b"],
            TextsOf(it => it.Select(x => new { A = x.C == 'a', B = x.C != 'b' })));
        Refuse("x.C", it => it.Where(x => x.C > 'a'));
        Refuse("x.C", it => it.Select(x => new { A = x.C > 'a' }));
        Refuse("x.C", it => it.Where(x => x.C == 70000));
    }

    [Fact]
    public void Comparing_or_ordering_values_whose_stored_texts_sort_differently_is_refused()
    {
        TimeSpan day = TimeSpan.FromDays(1);
        DateTimeOffset at = DateTimeOffset.UnixEpoch;
        DateTimeOffset[] times = [at];
        Expect("from 'Things' where Span = $p0", it => it.Where(x => x.Span == day), day);
        Expect("from 'Things' where Until = null", it => it.Where(x => x.Until == null));
        Refuse("x.Span", it => it.Where(x => x.Span > day));
        Refuse("x.Span", it => it.OrderBy(x => x.Span));
        Refuse("x.Span", it => it.Select(x => new { A = x.Span > day }));
        Refuse("x.Span", it => it.Select(x => new { A = x.Span + day }));
        Refuse("x.Span", it => it.Select(x => new { A = -x.Span }));
        Refuse("x.End - x.Start", it => it.Select(x => new { A = x.End - x.Start }));
        Refuse("x.Start + x.Span", it => it.Select(x => new { A = x.Start + x.Span }));
        Refuse("x.When", it => it.Where(x => x.When == at));
        Refuse("x.When", it => it.Where(x => x.When > at));
        Refuse("x.Start", it => it.Where(x => x.Start > at));
        Refuse("x.When", it => it.Where(x => x.When.In(times)));
        Refuse("x.When", it => it.Where(x => times.Contains(x.When)));
        Refuse("x.When", it => it.OrderBy(x => x.When));
        Refuse("x.When", it => it.Select(x => new { A = x.When > at }));
        Refuse("x.When", it => it.Select(x => new { A = x.When == at }));
        Refuse("x.Kind", it => it.OrderBy(x => x.Kind));
    }

    [Fact]
    public void A_condition_of_Any_that_is_not_on_the_item_is_refused()
    {
        Refuse("x.Qty", it => it.Where(x => x.Subs.Any(s => x.Qty == 1)));
        Refuse("x.Flag", it => it.Where(x => x.Subs.Any(s => x.Flag)));
        Refuse("x.Qty", it => it.Where(x => x.Subs.Any(s => s.A == x.Qty)));
        Refuse("x.Name", it => it.Where(x => x.Subs.Any(s => s.Names.Any(n => x.Name == "a"))));
        Refuse("x.Name", it => it.Where(x => x.Subs.Select(s => x.Name).Contains("a")));
        Refuse("null", it => it.Where(x => x.Subs.Any(s => s.Name == null)));
        Refuse("x.Subs", it => it.Where(x => x.Subs[0].A == 1));
        Expect(
            "from 'Things' where Subs[].Names[] = $p0",
            it => it.Where(x => x.Subs.Any(s => s.Names.Any(n => n == "a"))), "a");
        Expect(
            "from 'Things' where exact(startsWith(Subs[].Name, $p0))",
            it => it.Where(x => x.Subs.Any(s => s.Name.StartsWith("ab", StringComparison.Ordinal))), "ab");
    }

    [Fact]
    public void A_comparison_by_order_with_null_finds_nothing()
    {
        int? none = null;
        string? text = null;
        Sub? nobody = null;
        Expect("from 'Things' where false", it => it.Where(x => x.N <= none));
        Expect("from 'Things' where true and not (false)", it => it.Where(x => !(x.N >= none)));
        Expect("from 'Things' where true", it => it.Where(x => text == null || x.Name.StartsWith(text)));
        Expect("from 'Things' where false", it => it.Where(x => none.HasValue && x.N == none.Value));
        Refuse("StartsWith", it => it.Where(x => x.Name.StartsWith(text!)));
        Refuse(".Name", it => it.Where(x => x.Name == nobody!.Name));
        Refuse("Value", it => it.Where(x => x.Qty == none!.Value));
        Refuse("Parse", it => it.Where(x => x.Qty == int.Parse("no")));
    }

    [Fact]
    public void The_StringComparison_of_a_condition_is_translated_or_refused()
    {
        string[] names = ["a"];
        Expect(
            "from 'Things' where exact(Name = $p0)",
            it => it.Where(x => x.Name.Equals("a", StringComparison.Ordinal)), "a");
        Expect(
            "from 'Things' where Name = $p0",
            it => it.Where(x => string.Equals(x.Name, "a", StringComparison.OrdinalIgnoreCase)), "a");
        Expect(
            "from 'Things' where exact(endsWith(Name, $p0))",
            it => it.Where(x => x.Name.EndsWith("ab", StringComparison.Ordinal)), "ab");
        Assert.Equal(
            "from 'Things' where exact(Name in ($p0))",
            Translate(it => it.Where(x => names.Contains(x.Name, StringComparer.Ordinal))).Query);
        Assert.Equal(
            "from 'Things' where Name in ($p0)",
            Translate(it => it.Where(x => names.Contains(x.Name, StringComparer.OrdinalIgnoreCase))).Query);
        Refuse("Culture", it => it.Where(x => x.Name.StartsWith("ab", StringComparison.InvariantCulture)));
        Refuse("Contains", it => it.Where(x => names.Contains(x.Name, StringComparer.InvariantCulture)));
        Refuse("Equals", it => it.Where(x => x.Id!.Equals("a", StringComparison.Ordinal)));
        Refuse("Equals", it => it.Where(x => x.Name.Equals("a", StringComparison.OrdinalIgnoreCase), exact: true));
        Refuse("Trim", it => it.Select(x => new { A = x.Name.Trim('/') }));
        Refuse("TrimStart", it => it.Select(x => new { A = x.Name.TrimStart() }));
    }

    [Fact]
    public void Field_names_that_are_RQL_keywords_are_quoted_and_names_that_RQL_cannot_express_are_refused()
    {
        Expect("from 'Things' where 'Not' = $p0", it => it.Where(x => x.Not == 1), 1);
        Expect("from 'Things' order by 'Not' as long", it => it.OrderBy(x => x.Not));
        Expect("from 'Things' select 'Not' as 'Not'", it => it.Select(x => new { x.Not }));
        Expect("from 'Things' where Dict.a = $p0", it => it.Where(x => x.Dict["a"] == 1), 1);
        Expect("from 'Things' where 'Dict.a b' = $p0", it => it.Where(x => x.Dict["a b"] == 1), 1);
        Refuse("a.b", it => it.Where(x => x.Dict["a.b"] == 1));
        Refuse("get_Item", it => it.Where(x => x.Dict[""] == 1));
        Refuse("Key.Length", it => it.GroupBy(x => x.Name).Select(g => new { g.Key.Length, N = g.Count() }));
        Refuse("x", it => it.Where(x => x != null));
        Refuse("Dict.Count", it => it.Select(x => new { x.Dict.Count }));
    }

    [Fact]
    public void Numbers_of_more_digits_than_the_server_compares_are_refused()
    {
        Expect("from 'Things' where Price = $p0", it => it.Where(x => x.Price == 1.1m), 1.1m);
        Refuse("x.Price", it => it.Where(x => x.Price == 1.5000000000000000000001m));
        Refuse("x.L", it => it.Where(x => x.L > 9007199254740993));
        Expect("from 'Things' where L = $p0", it => it.Where(x => x.L == 9007199254740993), 9007199254740993);
        Refuse("x.Price", it => it.Where(x => x.Price.In(1.5000000000000000000001m)));
        Assert.Equal(
            "declare function whole(n) { if (n != null && !Number.isSafeInteger(n)) { throw new RangeError("
            + "'a whole number beyond 2^53 has more digits than a computed projection keeps') } return n; } "
            + "from 'Things' as x select { L: whole(x.L), Next: (x.Qty + $p0) }",
            Translate(it => it.Select(x => new { x.L, Next = x.Qty + 1 })).Query);
        Expect("from 'Things' select L as L, Price as Price", it => it.Select(x => new { x.L, x.Price }));
    }

    [Fact]
    public void A_projection_script_checks_every_whole_number_that_it_reads()
    {
        ExpectMade(
            "{ A: whole(x.Longs?.[$p0]), B: whole(x.Longs?.[0]), C: whole(x.Longs?.reduce((a, b) => a + b, 0)) }",
            it => it.Select(x => new { A = x.Longs[1], B = x.Longs.FirstOrDefault(), C = x.Longs.Sum() }));
        ExpectMade(
            "{ A: x.Longs?.map(it1 => whole(it1)) }",
            it => it.Select(x => new { A = x.Longs.Select(one => one).ToList() }));
        ExpectMade("{ A: whole(counter(x, $p0)) }", it => it.Select(x => new { A = RavenQuery.Counter(x, "likes") }));
        ExpectMade(
            "{ A: (x.Flag ? whole(x.L) : $p0), B: (whole(x.M) ?? $p1), C: whole(x.M) }",
            it => it.Select(x => new { A = x.Flag ? x.L : 1, B = x.M ?? 2, C = x.M!.Value }));
    }

    [Fact]
    public void A_projection_negates_only_Boolean_values()
    {
        Refuse("x.Qty", it => it.Select(x => new { A = ~x.Qty }));
        ExpectMade(
            "{ A: (x.Maybe == null ? null : !(x.Maybe)), B: !(x.Flag) }",
            it => it.Select(x => new { A = !x.Maybe, B = !x.Flag }));
    }

    [Fact]
    public void The_id_property_becomes_id_in_RQL_also_for_a_document_of_an_interface_type()
    {
        Expect("from 'Things' where id() = $p0 and id() != $p1", ById, "a", "b");
        ExpectMade("{ Text: id(x)?.toUpperCase() }", it => Loud(it));
    }

    private static IQueryable<T> ById<T>(IQueryable<T> all)
        where T : IKeyed => all.Where(x => x.Id == "a" && RavenQuery.Id(x) != "b");

    private static IQueryable<Shout> Loud<T>(IQueryable<T> all)
        where T : IKeyed => all.Select(x => new Shout { Text = x.Id!.ToUpper() });

    private static void ExpectMade<T>(string made, Func<IRavenQueryable<Thing>, IQueryable<T>> query) =>
        Assert.EndsWith($"from 'Things' as x select {made}", Translate(query).Query, StringComparison.Ordinal);

    private static string[] TextsOf<T>(Func<IRavenQueryable<Thing>, IQueryable<T>> query)
    {
        IndexQuery made = Translate(query);
        return [made.Query, .. made.QueryParameters.Values.Select(value => value!.ToString()!)];
    }

    private static void Expect<T>(
        string rql, Func<IRavenQueryable<Thing>, IQueryable<T>> query, params object[] parameters)
    {
        IndexQuery translated = Translate(query);
        Assert.Equal(rql, translated.Query);
        Assert.Equal(parameters, translated.QueryParameters.Values);
    }

    private static IndexQuery Translate<T>(Func<IRavenQueryable<Thing>, IQueryable<T>> query)
    {
        using var store = new DocumentStore { Urls = ["http://127.0.0.1:1"], Database = "db" };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IQueryable<T> made = query(session.Query<Thing>(collectionName: "Things"));
        IndexQuery translated = ((IRavenQueryable<T>)made).ToIndexQuery();
        Assert.NotNull(RqlParser.Parse(translated.Query));
        return translated;
    }

    private static void Refuse<T>(string names, Func<IRavenQueryable<Thing>, IQueryable<T>> query)
    {
        NotSupportedException refused = Assert.Throws<NotSupportedException>(() => Translate(query));
        Assert.Contains(names, refused.Message, StringComparison.Ordinal);
    }

    private interface IKeyed
    {
        string? Id { get; }
    }

    private sealed class Shout
    {
        public string Text { get; set; } = "";
    }

    private sealed class Thing : IKeyed
    {
        public string? Id { get; set; }

        public string Name { get; set; } = "";

        public int Qty { get; set; }

        public int? N { get; set; }

        public long L { get; set; }

        public float F { get; set; }

        public double Score { get; set; }

        public decimal Price { get; set; }

        public bool Flag { get; set; }

        public char C { get; set; }

        public Kind Kind { get; set; }

        public TimeSpan Span { get; set; }

        public DateTime Start { get; set; }

        public DateTime End { get; set; }

        public DateTimeOffset When { get; set; }

        public DateTimeOffset? Until { get; set; }

        public int Not { get; set; }

        public Dictionary<string, int> Dict { get; set; } = [];

        public List<Sub> Subs { get; set; } = [];

        public List<long> Longs { get; set; } = [];

        public long? M { get; set; }

        public bool? Maybe { get; set; }
    }

    private sealed class Sub
    {
        public string Name { get; set; } = "";

        public int A { get; set; }

        public List<string> Names { get; set; } = [];
    }
}
