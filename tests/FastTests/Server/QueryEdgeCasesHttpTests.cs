namespace FastTests.Server;

/// <summary>
/// Queries that are written only by mistake, and the answer to each: ids of documents, or a 400 with the place and the
/// cause. What <c>where</c> finds with an index, <c>filter</c> finds by a scan, so that each condition is tested
/// both ways.
/// </summary>
public sealed class QueryEdgeCasesHttpTests
{
    private static readonly string[] Documents =
    [
        """
        {"N":1,"T":"Ann","Ünï":"über","नाम":"राम","𠮷":1,"e\u0301":"decomposed","Q":"it's \"q\" \\ b\n","Z":null,
         "L":["p","q"],"O":{"In":7},"B":true,"a b":1,"where":5
        """,
        """{"N":2.5,"T":"bob","L":[],"Big":9223372036854775807,"O":{},"B":false,"Z":0,"Q":"*?" """,
        """{"N":"2","T":"","L":[null,"q"],"Big":-9223372036854775808,"Z":"null","Q":"\ufffd" """,
        """{"N":null,"T":null,"L":["p"],"Big":1e300,"Z":false,"S":"\ud83d\ude00 smile" """,
        """{"N":-3,"T":"Ann Bee","Big":9007199254740993 """,
    ];

    /// <summary>What needs the words of an index, which <c>filter</c> has none of.</summary>
    private static readonly string[] OfWords = ["search(", "lucene(", "fuzzy(", "proximity("];

    [Fact]
    public Task A_list_of_a_condition_may_be_empty_have_null_or_repeat_values() => CheckAsync(
        ("T in ()", ""),
        ("T in () or N = 1", "1"),
        ("exists(T) and not T in ()", "1 2 3 4 5"),
        ("T all in ()", ""),
        ("T in ($p) {\"p\":[]}", ""),
        ("L all in ($p) {\"p\":[]}", ""),
        ("T in ($p) {\"p\":null}", "4"),
        ("T in ($p) {\"p\":[null,\"ann\"]}", "1 4"),
        ("T in (null)", "4"),
        ("T in ('ann', 'ann', 'ANN')", "1"),
        ("N in (1, '2', 2.5)", "1 2 3"),
        ("L in ('p', 'q')", "1 3 4"),
        ("L all in ('p', 'q')", "1"),
        ("L all in ('p', 'p')", "1 4"),
        ("L all in (null, 'q')", "3"),
        ("id() in ()", ""),
        ("id() in ('odd/1', 'odd/1', 'ODD/1')", "1"),
        ("T in ($p) {\"p\":[[1]]}", "400 line 1, column 18: expected a text, a number, true, false or null"),
        ("T in ($p) {\"p\":[{}]}", "400 A parameter that stands behind the query is no object"),
        ("T in ('a',)", "400 line 1, column 26: expected a value in the list, found ')'"),
        ("T in (,)", "400 line 1, column 22: expected a value in the list, found ','"),
        ("T in", "400 line 1, column 20: expected '(' after 'in', found the end of the query"),
        ("T in 'a'", "400 line 1, column 21: expected '(' after 'in', found the text 'a'"),
        ("T all ('a')", "400 line 1, column 22: expected 'in' after 'all', found '('"));

    [Fact]
    public Task Parentheses_and_negations_nest_and_must_be_closed() => CheckAsync(
        ("((((N = 1))))", "1"),
        ($"{new string('(', 100)}N = 1{new string(')', 100)}", "1"),
        ("((N = 1) or ((T = 'bob') and (N = 2.5)))", "1 2"),
        ("N = 1 or N = 2.5 and T = 'none'", "1"),
        ("(N = 1 or N = 2.5) and T = 'none'", ""),
        ($"lucene(T, '{new string('(', 60)}ann{new string(')', 60)}')", "1 5"),
        ($"lucene(T, '{new string('(', 100)}ann{new string(')', 100)}')",
            "400 expected no more than 64 parentheses in one another"),
        ($"lucene(T, '{new string('(', 100_000)}ann{new string(')', 100_000)}')",
            "400 expected a text of no more than"),
        ("exists(N) and not (N = 1 or N = 2.5)", "3 4 5"),
        ("N = 1 or not T = 'bob'", "1 3 4 5"),
        ("true", "1 2 3 4 5"),
        ("false", ""),
        ("(true)", "1 2 3 4 5"),
        ("true and not false", "1 2 3 4 5"),
        ("T = 'ann' and T = 'bob'", ""),
        ("T = 'ann' or T = 'ann'", "1"),
        ("()", "400 line 1, column 17: expected a field or a value, found ')'"),
        ("(N = 1", "400 line 1, column 22: expected ')' after the condition, found the end of the query"),
        ("N = 1)", "400 line 1, column 21: expected the next clause or the end of the query, found ')'"),
        ("(N) = 1", "400 line 1, column 18: expected a comparison, 'between' or 'in' after the field"),
        ("N = (1)", "400 line 1, column 20: expected a value after '=', found '('"),
        ("not N = 1", "400 line 1, column 16: expected a condition; for 'not' write 'exists(Field) and not ...'"),
        ("(not N = 1)", "400 line 1, column 17: expected a condition; for 'not' write"),
        ("N = 1 and not not T = 'bob'", "400 line 1, column 34: expected a comparison"),
        ($"{new string('(', 200)}N = 1{new string(')', 200)}", "400 expected no more than 128 conditions in one"),
        ("N = 1 and", "400 line 1, column 25: expected a field or a value, found the end of the query"),
        ("N = 1 T = 2", "400 line 1, column 22: expected the next clause or the end of the query, found 'T'"),
        ("null", "400 line 1, column 20: expected a comparison, 'between' or 'in' after the field"),
        ("N = 1 -- x", "400 line 1, column 22: '--' is no part of a query: a comment begins with //"),
        ("N = 1 // x", "1"),
        ("N = 1 /* x */", "1"),
        ("N = 1 /* x", "400 line 1, column 22: expected a '*/' that closes this comment"));

    [Fact]
    public Task A_quoted_text_with_escapes_finds_the_text_that_it_stands_for() => CheckAsync(
        ("Q = 'it\\'s \"q\" \\\\ b\\n'", "1"),
        ("exact(Q = 'it''s \"q\" \\\\ b\\n')", "1"),
        ("Q = \"it's \\\"q\\\" \\\\ b\\n\"", "1"),
        ("Q = \"it's \"\"q\"\" \\\\ b\\u000a\"", "1"),
        ("S = '\ud83d\ude00 SMILE'", "4"),
        ("S = '\\ud83d\\ude00 smile'", "4"),
        ("Q = '\ufffd'", "3"),
        ("Q = '\\ud800'", "400 line 1, column 20: the text has half of a surrogate pair"),
        ("Q = '\\ude00\\ud83d'", "400 line 1, column 20: the text has half of a surrogate pair"),
        ("Q = 'it", "400 line 1, column 20: expected a ' that closes this text"),
        ("Q = '\\", "400 line 1, column 20: expected a ' that closes this text"),
        ("Q = '\\u12'", "400 line 1, column 21: expected four hexadecimal digits after '\\u'"),
        ("T = ''", "3"),
        ("T > ''", "1 2 5"),
        ("T = '*'", ""),
        ("T = 'a*'", ""),
        ("Q = '*?'", "2"));

    [Fact]
    public Task A_field_name_may_have_letters_of_any_script_and_other_characters_in_quotes() => CheckAsync(
        ("Ünï = 'ÜBER'", "1"),
        ("'Ünï' = 'über'", "1"),
        ("नाम = 'राम'", "1"),
        ("'नाम' = 'राम'", "1"),
        ("𠮷 = 1", "1"),
        ("e\u0301 = 'decomposed'", "1"),
        ("T = $नाम {\"नाम\":\"ann\"}", "1"),
        ("\u0301e = 1", "400 line 1, column 16: '\u0301' is no part of a query"),
        ("\ud83d\ude00 = 1", "400 line 1, column 16: '\ud83d\ude00' is no part of a query"),
        ("N = \u2018a\u2019", "400 line 1, column 20: '\u2018' is no part of a query"),
        ("N = \uff11", "400 line 1, column 20: '\uff11' is no part of a query"),
        ("'a b' = 1", "1"),
        ("where = 5", "1"),
        ("'where' = 5", "1"),
        ("O.In = 7", "1"),
        ("O.in = 7", ""),
        ("n = 1", ""),
        ("'' = 1", ""),
        ("N.x = 1", ""),
        ("L[] = 'q'", "1 3"),
        ("L[].x = 1", ""),
        ("@metadata.@collection = 'odd'", "1 2 3 4 5"),
        ("@metadata.'@collection' = 'odd'", "1 2 3 4 5"),
        ("L[0] = 'p'", "400 line 1, column 18: expected ']' after '[', found '0'"),
        ("N. = 1", "400 line 1, column 19: expected a name after '.', found '='"),
        (".N = 1", "400 line 1, column 16: expected a field or a value, found '.'"),
        ("N..x = 1", "400 line 1, column 18: expected a name after '.', found '.'"),
        ("$p = 1 {\"p\":1}", "400 line 1, column 16: expected a field before the comparison, found a value"),
        ("N = $", "400 line 1, column 20: expected the name of a parameter after '$'"),
        ("N = $missing", "400 line 1, column 20: the query has no parameter '$missing'"));

    [Fact]
    public Task Numbers_of_any_size_are_compared_without_loss_and_invalid_ones_refused() => CheckAsync(
        ("Big = 9223372036854775807", "2"),
        ("Big = 9223372036854775806", ""),
        ("Big = 9223372036854775808", ""),
        ("Big = -9223372036854775808", "3"),
        ("Big = 9007199254740993", "5"),
        ("Big = 9007199254740992", ""),
        ("Big > 9007199254740992", "2 4 5"),
        ("Big > 9223372036854775806", "2 4"),
        ("Big > 99999999999999999999999999", "4"),
        ("Big = 1e300", "4"),
        ("Big < 1e-400", "3"),
        ("Big = 1e400", "400 line 1, column 22: '1e400' is no number"),
        ("N = 1.0", "1"),
        ("N = 1e0", "1"),
        ("N = 01", "1"),
        ("N = -3", "5"),
        ("Z = -0", "2"),
        ("Z between -0.0 and 0.0", "2"),
        ("N = - 3", "400 line 1, column 20: '-' is no part of a query"),
        ("N = +1", "400 line 1, column 20: '+' is no part of a query"),
        ("N = 1.", "400 line 1, column 21: expected the next clause or the end of the query, found '.'"),
        ("N = .5", "400 line 1, column 20: expected a value after '=', found '.'"),
        ("N = 0x1", "400 line 1, column 20: '0x1' is no number"),
        ("N = 1and T = 'ann'", "400 line 1, column 20: '1and' is no number"));

    [Fact]
    public Task A_range_finds_values_of_the_type_of_its_bounds() => CheckAsync(
        ("N between 1 and 3", "1 2"),
        ("N between 1 and 1", "1"),
        ("N between 3 and 1", ""),
        ("T between 'z' and 'a'", ""),
        ("id() between 'odd/4' and 'odd/2'", ""),
        ("L between 'p' and 'p'", "1 4"),
        ("N between $p and $q {\"p\":3,\"q\":1}", ""),
        ("N between null and null", "4"),
        ("N between null and 3", ""),
        ("N between 1 and null", ""),
        ("N between null and 'z'", ""),
        ("N between 'a' and 3", ""),
        ("N between 1 and 'z'", ""),
        ("N between true and 3", ""),
        ("N >= null and N <= 3", ""),
        ("N < '3'", "3"),
        ("exact(T between 'A' and 'B')", "1 5"),
        ("lucene(N, '[1 TO 3]')", "1 2"),
        ("lucene(N, '[3 TO 1]')", ""),
        ("lucene(N, '[1 TO z]')", "3"),
        ("N between 1", "400 line 1, column 27: expected 'and' between the bounds, found the end of the query"),
        ("N between 1 and", "400 line 1, column 31: expected a value after 'and', found the end of the query"),
        ("N between 1 and 3 and 2", "400 line 1, column 39: expected a comparison, 'between' or 'in'"),
        ("N between $p and 2 {\"p\":[1]}", "400 line 1, column 26: expected a text, a number, true, false or null"));

    [Fact]
    public Task Null_equals_null_and_a_missing_field_equals_nothing() => CheckAsync(
        ("Z = null", "1"),
        ("Z == NULL", "1"),
        ("Z != null", "2 3 4 5"),
        ("Z <> null", "2 3 4 5"),
        ("Z = $p {\"p\":null}", "1"),
        ("Z = 'null'", "3"),
        ("Z < null", ""),
        ("Z > null", ""),
        ("Z >= null", "1"),
        ("Z <= null", "1"),
        ("exists(Z)", "1 2 3 4"),
        ("exists(Z) and not Z = null", "2 3 4"),
        ("L = null", "3"),
        ("Missing = null", ""),
        ("Missing != null", "1 2 3 4 5"),
        ("exists(Missing)", ""),
        ("exists(O)", "1 2"),
        ("exists(L)", "1 3 4"),
        ("B = TRUE", "1"),
        ("B = 'true'", ""),
        ("B = 1", ""),
        ("B > false", ""),
        ("id() = null", ""),
        ("id() = 5", ""),
        ("N = '1'", ""),
        ("N = cmpxchg('none')", "4"),
        ("null = Z", "400 line 1, column 16: expected a field before the comparison, found a value"),
        ("N = {}", "400 line 1, column 20: expected a value after '=', found '{'"),
        ("N = $p {\"p\":[1]}", "400 line 1, column 20: expected a text, a number, true, false or null"),
        ("exists(5)", "400 line 1, column 23: expected a field"));

    [Fact]
    public Task Functions_of_conditions_take_empty_texts_and_refuse_values_that_are_no_texts() => CheckAsync(
        ("exact(T = 'Ann')", "1"),
        ("exact(T = 'ann')", ""),
        ("exact(exact(T = 'Ann'))", "1"),
        ("exact(T = 'Ann' or T = 'bob')", "1 2"),
        ("exact(T in ('Ann', 'BOB'))", "1"),
        ("exact(startsWith(T, 'A'))", "1 5"),
        ("exact(N = 1)", "1"),
        ("exact(true)", "1 2 3 4 5"),
        ("exact(search(T, 'ann'))", "1 5"),
        ("exact(T)", "400 line 1, column 22: expected a condition"),
        ("exact()", "400 line 1, column 16: 'exact' takes 1 arguments, not 0"),
        ("startsWith(T, '')", "1 2 3 5"),
        ("endsWith(T, '')", "1 2 3 5"),
        ("regex(T, '')", "1 2 3 5"),
        ("regex(T, '^$')", "3"),
        ("startsWith(id(), '')", "1 2 3 4 5"),
        ("boost(T = 'ann', 0)", "1"),
        ("boost(boost(T = 'ann', 0), 5)", "1"),
        ("search(T, '*')", "1 2 5"),
        ("search(T, '**')", "1 2 5"),
        ("search(T, '???')", "1 2 5"),
        ("search(T, '')", ""),
        ("search(T, '\" \"')", ""),
        ("search(T, 'a* b*', and)", "5"),
        ("search(Missing, '*')", ""),
        ("lucene(T, '*')", "1 2 3 4 5"),
        ("lucene(T, '')", ""),
        ("fuzzy(T = '', 0.5)", "3"),
        ("proximity(search(T, 'ann bee'), 0)", "5"),
        ("intersect(N = 1)", "1"),
        ("when($p, N = 1) {\"p\":false}", "1 2 3 4 5"),
        ("startsWith(T, null)", "400 line 1, column 30: expected a text"),
        ("startsWith(T, 5)", "400 line 1, column 30: expected a text"),
        ("search(T, null)", "400 line 1, column 26: expected a text"),
        ("search(T, 'a*', xor)", "400 line 1, column 32: expected 'and' or 'or'"),
        ("lucene(T, '(')", "400 line 1, column 26: character 2 of the text of lucene(): expected ')' at its end"),
        ("boost(T = 'ann', null)", "400 line 1, column 33: expected a number"),
        ("intersect()", "400 line 1, column 16: 'intersect' takes at least 1 arguments, not 0"),
        ("intersect(N = 1, T)", "400 line 1, column 33: expected a condition"),
        ("T = foo()", "400 line 1, column 20: expected a value"),
        ("now() > 1", "400 line 1, column 16: expected a field"));

    [Fact]
    public Task A_page_behind_the_end_is_empty_and_a_negative_one_is_refused() => CheckAsync(
        ("order by Missing, id()", "1 2 3 4 5"),
        ("order by Missing desc, id() desc", "5 4 3 2 1"),
        ("order by Missing as long desc nulls last, id()", "1 2 3 4 5"),
        ("order by N", "4 5 1 2 3"),
        ("order by N desc", "3 2 1 5 4"),
        ("order by N nulls last", "5 1 2 3 4"),
        ("order by N, N, T", "4 5 1 2 3"),
        ("order by 'a b' nulls last, id()", "1 2 3 4 5"),
        ("where boost(T = 'ann', 0) or T = 'bob' order by score()", "2 1"),
        ("where boost(T = 'ann', 1000000) or T = 'bob' order by score()", "1 2"),
        ("order by N limit 0", ""),
        ("order by N limit 3, 0", ""),
        ("order by N limit 100, 1", ""),
        ("order by N offset 3", "2 3"),
        ("order by N limit 2 offset 4", "3"),
        ("order by N limit 2147483648, 2", ""),
        ("order by N limit 4294967297", "4 5 1 2 3"),
        ("order by N limit 9223372036854775807, 9223372036854775807", ""),
        ("order by N limit $p {\"p\":2.0}", "4 5"),
        ("order by N limit $p {\"p\":null}", "4 5 1 2 3"),
        ("order by N limit $p {\"p\":1e300}", "4 5 1 2 3"),
        ("order by N limit $p {\"p\":1.5}", "400 line 1, column 27: expected a whole number that is not negative"),
        ("order by N limit $p {\"p\":-0.5}", "400 line 1, column 27: expected a whole number that is not negative"),
        ("order by N limit $p {\"p\":-1}", "400 line 1, column 27: expected a whole number that is not negative"),
        ("order by N limit $p {\"p\":\"2\"}", "400 line 1, column 27: expected a whole number that is not"),
        ("order by N limit -1", "400 line 1, column 27: expected a number after 'limit', found '-1'"),
        ("order by N limit 0, -1", "400 line 1, column 30: expected a number after ',', found '-1'"),
        ("order by N offset -1", "400 line 1, column 28: expected a number after 'offset', found '-1'"),
        ("order by N limit 99999999999999999999", "400 line 1, column 27: expected a number after 'limit'"),
        ("order by N limit 1.5", "400 line 1, column 27: expected a number after 'limit', found '1.5'"),
        ("order by N limit null", "400 line 1, column 27: expected a number after 'limit', found 'null'"),
        ("order by N filter true filter_limit $p {\"p\":1.5}", "400 line 1, column 46: expected a whole number"),
        ("order by N filter true filter_limit 0", ""),
        ("limit 1, 2 offset 3", "400 line 1, column 21: expected the end of the query: 'offset' stands before, once"),
        ("limit 1 limit 2", "400 line 1, column 18: expected the end of the query: 'limit' stands before, once"),
        ("order by", "400 line 1, column 18: expected a field or a value, found the end of the query"),
        ("order by 5", "400 line 1, column 19: expected a field to order by, found a value"),
        ("order by N desc asc", "400 line 1, column 26: expected the next clause or the end of the query"),
        ("order by N nulls", "400 line 1, column 26: expected 'first' or 'last' after 'nulls'"),
        ("order by exists(T)", "400 line 1, column 19: expected a field, score() or random()"));

    private static async Task CheckAsync(params (string Query, string Expected)[] cases)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 0; i < Documents.Length; i++)
        {
            await server.PutAsync($"odd/{i + 1}", $$$"""{{{Documents[i]}}},"@metadata":{"@collection":"Odd"}}""");
        }

        List<string> wrong = [];
        foreach ((string query, string expected) in cases)
        {
            bool isOrdered = query.Contains("order by", StringComparison.Ordinal)
                || query.StartsWith("limit ", StringComparison.Ordinal);
            string clause = isOrdered ? "" : "where ";
            await CheckAsync(server, $"from Odd {clause}{query}", expected, isOrdered, wrong);
            if (!isOrdered && !expected.StartsWith("400", StringComparison.Ordinal)
                && !Array.Exists(OfWords, word => query.Contains(word, StringComparison.Ordinal)))
            {
                await CheckAsync(server, $"from Odd filter {query}", expected, isOrdered, wrong);
            }
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
        await server.AssertServesAsync();
    }

    private static async Task CheckAsync(
        TestServer server, string query, string expected, bool isOrdered, List<string> wrong)
    {
        HttpAnswer answer = await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query));
        string found = $"{answer.Status} {answer.Text}";
        if (answer.Status == 200)
        {
            IEnumerable<string> ids = QueryHttpTests.Ids(answer.Json).Select(id => id[4..]);
            found = string.Join(' ', isOrdered ? ids : ids.Order(StringComparer.Ordinal));
        }
        else if (answer.Status == 400)
        {
            found = $"400 {(string)answer.Json["Message"]!}";
        }

        bool isSo = expected.StartsWith("400 ", StringComparison.Ordinal)
            ? answer.Status == 400 && found.Contains(expected[4..], StringComparison.Ordinal)
            : found == expected;
        if (!isSo)
        {
            wrong.Add($"{query}: expected '{expected}', found '{found}'");
        }
    }
}
