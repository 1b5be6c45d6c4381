using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.CommandLine;
using Raven.CommandLine.Output;
using Raven.CommandLine.Shell;

namespace FastTests.Tools;

/// <summary><c>raven shell</c>: what is completed, how a line is typed, and what the answers look like.</summary>
public sealed class ShellTests
{
    [Theory]
    [InlineData("", "Keyword", "", "")]
    [InlineData("fr", "Keyword", "fr", "")]
    [InlineData("from ", "Collection", "", "")]
    [InlineData("from Us", "Collection", "Us", "")]
    [InlineData("FROM 'My coll", "Collection", "'My coll", "")]
    [InlineData("from index 'Auto/Us", "Index", "'Auto/Us", "")]
    [InlineData("from Users wh", "Keyword", "wh", "Users")]
    [InlineData("from Users where Na", "Field", "Na", "Users")]
    [InlineData("from 'Users' where exact(Na", "Field", "Na", "Users")]
    [InlineData("from Users where Name='A b' and A", "Field", "A", "Users")]
    [InlineData(".u", "Command", ".u", "")]
    [InlineData(".use d", "Database", "d", "")]
    [InlineData(".fields U", "Collection", "U", "")]
    public void A_place_says_what_may_stand_there(string before, string kind, string typed, string collection)
    {
        var place = ShellPlace.Of(before);
        Assert.Equal((kind, typed, collection), ($"{place.Kind}", place.Typed, place.Collection));
    }

    [Fact]
    public async Task A_line_is_typed_corrected_completed_and_recalled()
    {
        var keys = new Queue<ConsoleKeyInfo>();
        var output = new StringWriter();
        var editor = new LineEditor(
            keys.Dequeue, output,
            before => Task.FromResult(ShellPlace.Of(before).Filter(["from", "Users", "Usage", "where"])));
        Type("fr\tX");
        Press(ConsoleKey.Backspace);
        Type("u\t\ter\t");
        Press(ConsoleKey.Home, ConsoleKey.Delete);
        Type("F");
        Press(ConsoleKey.End, ConsoleKey.Enter);
        Assert.Equal("From Users ", await editor.ReadAsync("> "));
        Assert.Contains("Users  Usage", output.ToString(), StringComparison.Ordinal);
        Type("other");
        Press(ConsoleKey.UpArrow, ConsoleKey.DownArrow, ConsoleKey.UpArrow, ConsoleKey.LeftArrow, ConsoleKey.Enter);
        Assert.Equal("From Users ", await editor.ReadAsync("> "));
        keys.Enqueue(new ConsoleKeyInfo('\u0004', ConsoleKey.D, false, false, control: true));
        Assert.Null(await editor.ReadAsync("> "));

        void Type(string text)
        {
            foreach (char letter in text)
            {
                keys.Enqueue(new ConsoleKeyInfo(
                    letter, letter == '\t' ? ConsoleKey.Tab : ConsoleKey.None, false, false, false));
            }
        }

        void Press(params ConsoleKey[] pressed) => Array.ForEach(
            pressed, key => keys.Enqueue(new ConsoleKeyInfo('\0', key, false, false, false)));
    }

    [Fact]
    public void A_table_has_the_columns_of_all_results_and_is_no_wider_than_the_terminal()
    {
        var results = (JsonArray)JsonNode.Parse("""
            [{"Name":"Ada","Tags":["x","y"],"@metadata":{"@id":"users/1"}},
             {"Name":"\u001b[31mred\nx","Age":7,"@metadata":{"@id":"users/2"}}]
            """)!;
        Assert.Equal(
            """
            @id      Name        Tags       Age
            -------  ----------  ---------  ---
            users/1  Ada         ["x","y"]
            users/2   [31mred x             7

            """.ReplaceLineEndings("\n"), ShellTable.Of(results, 200));
        string[] narrow = ShellTable.Of(results, 30).Split('\n');
        Assert.All(narrow, line => Assert.InRange(line.Length, 0, 30));
        Assert.Contains("…", narrow[3], StringComparison.Ordinal);
        Assert.Equal("", ShellTable.Of([], 80));
    }

    [Fact]
    public async Task Queries_and_commands_are_answered_as_tables_or_JSON()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync(
            "users/1", """{"Name":"Ada","Home":{"City":"Paris"},"@metadata":{"@collection":"Users"}}""");
        Assert.Equal(
            "@id      Home              Name\n-------  ----------------  ----\nusers/1  {\"City\":\"Paris\"}  Ada\n",
            (await RunAsync(server, ExitCode.Success, "-d", "db", "-e", "from Users;")).Split("1 of")[0]);
        Assert.Contains("Paris", await RunAsync(
            server, ExitCode.Success, "-e", ".use DB", "-e", ".limit 3", "-e", "from Users select Home.City"),
            StringComparison.Ordinal);
        Assert.Equal(
            "Collection  Documents\n----------  ---------\nUsers       1\n",
            await RunAsync(server, ExitCode.Success, "-d", "db", "-e", ".collections"));
        JsonNode fields = JsonNode.Parse(
            await RunAsync(server, ExitCode.Success, "-d", "db", "--json", "-e", ".fields Users"))!;
        Assert.Equal(
            ["Home", "Home.City", "Name", "id()"], fields.AsArray().Select(one => (string)one!["Field"]!));
        Assert.Equal(
            1, (int)JsonNode.Parse(
                await RunAsync(server, ExitCode.Success, "-d", "db", "--json", "-e", "from Users"))!["TotalResults"]!);
        Assert.Contains(".use NAME", await RunAsync(server, ExitCode.Success, "-e", ".help"), StringComparison.Ordinal);
        Assert.Contains("column 17", await RunAsync(
            server, ExitCode.ServerFailed, "-d", "db", "-e", "from Users where"), StringComparison.Ordinal);
        Assert.Contains(".databases", await RunAsync(
            server, ExitCode.ServerFailed, "-e", "from Users"), StringComparison.Ordinal);
        Assert.Contains(".help", await RunAsync(
            server, ExitCode.ServerFailed, "-e", ".nonsense"), StringComparison.Ordinal);

        using var http = new HttpClient { BaseAddress = new Uri(server.Host.Url) };
        var session = new ShellSession(new ShellServer(http), TextWriter.Null, false, 80) { Database = "db" };
        Assert.Equal(["Users"], await session.CompleteAsync("from U"));
        Assert.Equal(["Home", "Home.City"], await session.CompleteAsync("from Users where Ho"));
        Assert.Equal(["db"], await session.CompleteAsync(".use d"));
    }

    [Fact]
    public async Task A_url_that_is_none_is_a_wrong_command_line() => Assert.Contains(
        "url", (await RunLineAsync("shell", "db.example", "-e", ".help")).Said, StringComparison.Ordinal);

    private static async Task<string> RunAsync(TestServer server, int code, params string[] arguments)
    {
        (int ended, string said) = await RunLineAsync(["shell", server.Host.Url, .. arguments]);
        Assert.True(ended == code, $"{ended} instead of {code}: {said}");
        return said;
    }

    private static async Task<(int Code, string Said)> RunLineAsync(params string[] line)
    {
        using var output = new StringWriter();
        int code = await RavenCommand.RunAsync(line, output, output);
        return (code, output.ToString().ReplaceLineEndings("\n"));
    }
}
