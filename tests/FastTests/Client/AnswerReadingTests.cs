using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Client.Documents;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>Answers of our server are read in one pass, and those of other programs as correctly.</summary>
public sealed class AnswerReadingTests : IDisposable
{
    private const string First =
        "\"@metadata\":{\"@collection\":\"Users\",\"@id\":\"users/1\",\"@change-vector\":\"A:1\"}";

    private const string Second = "\"@metadata\":{\"@id\":\"users/2\",\"@change-vector\":\"A:2\",\"@flags\":[1,{}]}";

    private readonly DocumentStore _store = new() { Urls = ["http://127.0.0.1:1"], Database = "db" };

    public AnswerReadingTests() => _store.Initialize();

    [Theory]
    [InlineData("[{\"Age\":1,\"Name\":\"a\",#1},{\"Age\":2,\"Name\":\"b\",#2}]")]
    [InlineData("[ {\"Age\":1,\"Name\":\"a\",#1} , {\"Age\":2,\"Name\":\"b\",#2 } ]")]
    [InlineData("[{#1,\"Name\":\"a\",\"Age\":1},{\"Age\":2,#2,\"Name\":\"b\"}]")]
    [InlineData("[{\"Name\":\"a\",\"Age\":1,\"Address\":{\"City\":\"x\",\"@metadata\":{\"@id\":\"no/1\"}},#1},"
        + "{\"Tags\":[],\"More\":{\"@metadata\":{\"@id\":\"no/2\"}},\"Name\":\"b\",\"Age\":2,#2}]")]
    [InlineData("[{\"Name\":\"a\",\"Age\":1,#1,\"Last\":3},{\"Age\":2,\"Name\":\"b\",#2}]")]
    public void Documents_of_an_answer_are_read_with_their_metadata_at_any_position(string results)
    {
        string text = results.Replace("#1", First, StringComparison.Ordinal)
            .Replace("#2", Second, StringComparison.Ordinal);
        using AsyncDocumentSession session = Session();
        List<User> users = Read<User>(session, text, out QueryAnswer answer);
        Assert.Equal([("users/1", "a", 1), ("users/2", "b", 2)], users.Select(it => (it.Id, it.Name, it.Age)));
        Assert.Equal((2, true), (answer.Statistics.TotalResults, answer.Statistics.IsStale));
        Assert.Equal(["A:1", "A:2"], users.Select(user => session.GetChangeVectorFor(user)));
        JsonElement[] expected = [.. JsonDocument.Parse(text).RootElement.EnumerateArray()];
        for (int i = 0; i < 2; i++)
        {
            DocumentInfo info = session.InfoOf(users[i]);
            Assert.True(JsonElement.DeepEquals(expected[i], info.Original), Encoding.UTF8.GetString(info.Stored.Span));
        }

        Assert.True(session.IsLoaded("other/1"));
        Assert.Same(users[1], Read<User>(session, text, out _)[1]);
    }

    [Fact]
    public void A_result_without_properties_or_of_another_type_is_read_by_its_own_serializer()
    {
        string dog = "{\"Barks\":true,\"Name\":\"rex\",\"@metadata\":{\"@id\":\"animals/1\",\"Raven-Clr-Type\":\""
            + $"{typeof(Dog).FullName}, FastTests\"}}}}";
        const string cat = "{\"Name\":\"tom\",\"@metadata\":{\"@id\":\"animals/2\","
            + "\"Raven-Clr-Type\":\"Gone.Cat, Gone\"}}";
        using AsyncDocumentSession session = Session();
        List<Animal> animals = Read<Animal>(session, $"[{dog},{cat}]", out _);
        Assert.True(Assert.IsType<Dog>(animals[0]).Barks);
        Assert.Equal(("tom", "animals/2"), (Assert.IsType<Animal>(animals[1]).Name, animals[1].Id));
        using AsyncDocumentSession plain = Session();
        Assert.Equal(
            ["rex", "tom"], Read<JsonObject>(plain, $"[{dog},{cat}]", out _).Select(it => (string?)it["Name"]));
        using AsyncDocumentSession other = Session();
        Assert.IsType<Dog>(Read<object>(other, $"[{dog}]", out _)[0]);
        Assert.Equal("tom", Read<Dictionary<string, JsonElement>>(other, $"[{cat}]", out _)[0]["Name"].GetString());
    }

    [Fact]
    public void Documents_made_by_a_constructor_are_each_tracked_with_their_own_values()
    {
        string text = "[" + string.Join(',', Enumerable.Range(1, 30).Select(i =>
            "{\"Age\":" + i + ",\"Name\":\"a\",\"@metadata\":{\"@id\":\"pets/" + i + "\"}}")) + "]";
        using AsyncDocumentSession session = Session();
        List<Pet> pets = Read<Pet>(session, text, out _);
        Assert.Equal(Enumerable.Range(1, 30).Select(i => ($"pets/{i}", i)), pets.Select(pet => (pet.Id!, pet.Age)));
        Assert.All(pets, pet => Assert.Equal(
            pet.Age, session.InfoOf(pet).Original.GetProperty(nameof(Pet.Age)).GetInt32()));
        Assert.False(session.HasChanges);
        pets[7].Tail = 3;
        Assert.Equal(["pets/8"], session.WhatChanged().Keys);
    }

    [Fact]
    public void A_document_that_cannot_be_read_is_refused_with_the_property()
    {
        using AsyncDocumentSession session = Session();
        JsonException wrong = Assert.Throws<JsonException>(
            () => Read<User>(session, "[{\"Name\":\"a\",\"Age\":\"old\"," + First + "}]", out _));
        Assert.Contains("$.Age", wrong.Message, StringComparison.Ordinal);
        Assert.False(session.IsLoaded("users/1"));
        Assert.ThrowsAny<JsonException>(() => Read<User>(session, "[{\"Name\":\"a\",", out _));
    }

    [Fact]
    public void Two_JSON_texts_compared_as_equal_have_the_same_values()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        int same = 0;
        for (int round = 0; round < 20_000; round++)
        {
            JsonObject stored = Make(random, depth: 2);
            JsonObject current = (JsonObject)stored.DeepClone();
            if (random.Next(2) == 0)
            {
                Change(current, random);
            }

            bool isEqual = JsonNode.DeepEquals(stored, current);
            if (random.Next(4) != 0)
            {
                stored.Insert(
                    random.Next(stored.Count + 1), "@metadata", new JsonObject { ["@id"] = "a/1", ["b"] = 1 });
            }

            byte[] left = Bytes(stored, random);
            byte[] right = Bytes(current, random);
            bool isSame = JsonComparer.AreSame(left, right);
            same += isSame ? 1 : 0;
            Assert.True(
                !isSame || isEqual,
                $"seed {seed}, round {round}\n{Encoding.UTF8.GetString(left)}\n{Encoding.UTF8.GetString(right)}");
        }

        Assert.InRange(same, 8_000, 19_000);
    }

    /// <summary>
    /// A session compares the UTF-8 of JSON in place, without trees, texts or blittable documents: docs/client.md,
    /// "What has changed", has the reason. Only flat ones: System.Text.Json allocates a stack for nested ones.
    /// </summary>
    [Fact]
    public void Looking_for_changes_allocates_no_more_for_many_unchanged_documents_than_for_one()
    {
        using AsyncDocumentSession few = Loaded(1);
        using AsyncDocumentSession many = Loaded(200);
        for (int i = 0; i < 50; i++)
        {
            Assert.False(few.HasChanges || many.HasChanges);
        }

        long first = Allocated(few);
        long second = Allocated(many);
        Assert.Equal(first, second);
    }

    public void Dispose() => _store.Dispose();

    private sealed record Pet(string Name, int Age)
    {
        public string? Id { get; set; }

        public int Tail { get; set; }
    }

    private static long Allocated(AsyncDocumentSession session)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.False(session.HasChanges);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private AsyncDocumentSession Loaded(int count)
    {
        AsyncDocumentSession session = Session();
        string[] documents =
        [
            .. Enumerable.Range(0, count).Select(
                i => "{\"Name\":\"n\",\"@metadata\":{\"@id\":\"companies/" + i + "\"}}"),
        ];
        Assert.Equal(count, Read<Company>(session, $"[{string.Join(',', documents)}]", out _).Count);
        return session;
    }

    private AsyncDocumentSession Session() => (AsyncDocumentSession)_store.OpenAsyncSession();

    private static List<T> Read<T>(AsyncDocumentSession session, string results, out QueryAnswer answer)
    {
        string body = "{\"Unknown\":[{}],\"Results\":" + results + ",\"Includes\":{\"other/1\":{\"Name\":\"x\"},"
            + "\"other/2\":null},\"TotalResults\":2,\"IsStale\":true,\"IndexName\":\"i\"}";
        var reader = new QueryResults<T>(session, new QueryOptions());
        answer = QueryAnswer.Read(Encoding.UTF8.GetBytes(body), reader);
        session.RegisterIncludes(answer.Included);
        return reader.Items;
    }

    private static JsonObject Make(Random random, int depth)
    {
        var made = new JsonObject();
        for (int i = random.Next(4); i > 0; i--)
        {
            made[$"p{random.Next(6)}"] = Value(random, depth);
        }

        return made;
    }

    private static JsonNode? Value(Random random, int depth) => random.Next(depth > 0 ? 8 : 6) switch
    {
        0 => null,
        1 => random.Next(3),
        2 => random.Next(3) + 0.5,
        3 => random.Next(2) == 0,
        4 => "",
        5 => "é\"\n" + random.Next(3),
        6 => new JsonArray([.. Enumerable.Range(0, random.Next(3)).Select(_ => Value(random, depth - 1))]),
        _ => Make(random, depth - 1),
    };

    private static void Change(JsonObject json, Random random)
    {
        string name = $"p{random.Next(6)}";
        if (random.Next(2) == 0)
        {
            json.Remove(name);
        }
        else
        {
            json[name] = Value(random, 1);
        }
    }

    /// <summary>With the escapes of one writer or of another.</summary>
    private static byte[] Bytes(JsonNode node, Random random) => random.Next(3) == 0
        ? Encoding.UTF8.GetBytes(node.ToJsonString())
        : Encoding.UTF8.GetBytes(node.ToJsonString(new JsonSerializerOptions
        {
            Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        }));
}
