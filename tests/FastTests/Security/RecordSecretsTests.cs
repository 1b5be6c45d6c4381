using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Documents.Catalog;

namespace FastTests.Security;

/// <summary>Secrets in the records of databases: sealed when they are stored, masked when they are shown.</summary>
public sealed class RecordSecretsTests : IDisposable
{
    private readonly InMemoryServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    [Trait("Security", "56")]
    [Trait("Invariant", "SECRET-1")]
    [Trait("Invariant", "SEAL-3")]
    public void No_secret_is_stored_or_shown_and_all_else_is_as_it_was_sent()
    {
        Create();
        Assert.DoesNotContain(RecordCanaries.Canary, Stored(), StringComparison.Ordinal);
        Assert.Equal(RecordCanaries.Count, Stored().Split("\"$sealed\":1").Length - 1);
        JsonObject expected = JsonNode.Parse(RecordCanaries.Masked)!.AsObject();
        foreach (string url in new[] { "/admin/databases?name=red", "/databases/red/admin/record" })
        {
            JsonObject shown = JsonNode.Parse(Send("GET", url, "", 200))!.AsObject();
            foreach ((string name, JsonNode? value) in expected)
            {
                Assert.True(JsonNode.DeepEquals(value, shown[name]), $"{name}: {shown[name]}");
            }
        }
    }

    [Fact]
    [Trait("Security", "55")]
    [Trait("Invariant", "SECRET-2")]
    public void What_comes_back_masked_stays_as_it_is()
    {
        Create();
        string before = Stored();
        Put(RecordCanaries.Masked, 200);
        Assert.Equal(before, Stored());

        // So does what other requests change.
        Send("POST", "/admin/databases/disable", """{"DatabaseNames":["red"]}""", 200);
        Send("POST", "/admin/databases/set-lock", """{"DatabaseNames":["red"],"Mode":"PreventDeletesError"}""", 204);
        Assert.Equal(SealedOf(before), SealedOf(Stored()));
    }

    [Theory]
    [Trait("Security", "55")]
    [Trait("Invariant", "SECRET-2")]
    [InlineData("false,'BucketName':'b'", "false,'BucketName':'other'", "BucketName")]
    [InlineData("'CustomServerUrl':'https://s3'", "'CustomServerUrl':'https://evil'", "CustomServerUrl")]
    [InlineData("'CustomServerUrl':'https://s3'", "'GetBackupConfigurationScript':{}", "Script")]
    [InlineData("'Url':'ftp://f'", "'Url':'ftp://evil'", "Url")]
    [InlineData("'UserName':'u'", "'UserName':'other'", "UserName")]
    [InlineData("'AccountName':'n'", "'AccountName':'other'", "AccountName")]
    [InlineData("'FactoryName':'Npgsql'", "'FactoryName':'other'", "FactoryName")]
    [InlineData("'BootstrapServers':'k:1'", "'BootstrapServers':'evil:1'", "BootstrapServers")]
    [InlineData("'Nodes':['https://es']", "'Nodes':['https://evil']", "Nodes")]
    [InlineData("'Nodes':['https://es']", "'Nodes':['https://es','https://evil']", "Nodes")]
    [InlineData("'Endpoint':'https://ai'", "'Endpoint':'https://evil'", "Endpoint")]
    [InlineData("'TenantId':'t'", "'TenantId':'other'", "TenantId")]
    [InlineData("'ETL.Some.Url':'https://a'", "'ETL.Some.Url':'https://evil'", "ETL.Some.Url")]
    [InlineData("'HubName':'h'", "'HubName':'other'", "HubName")]
    public void Asterisks_stand_for_no_secret_of_another_target(string old, string other, string name)
    {
        Create();
        string before = Stored();
        string answer = Put(Changed(old, other), 400);
        Assert.Contains($"{name}'", answer, StringComparison.Ordinal);
        Assert.DoesNotContain(RecordCanaries.Canary, answer, StringComparison.Ordinal);
        Assert.Equal(before, Stored());
    }

    [Theory]
    [Trait("Security", "55")]
    [InlineData("'RemoteFolderName':'f'", "'RemoteFolderName':'g'")]
    [InlineData("'Disabled':false", "'Disabled':true")]
    [InlineData("'FullBackupFrequency':'0 1 * * *'", "'FullBackupFrequency':'0 2 * * *'")]
    [InlineData("'Indexing.Other':'b'", "'Indexing.Other':'c'")]
    public void What_is_no_target_may_change(string old, string other)
    {
        Create();
        IReadOnlyList<string> before = SealedOf(Stored());
        Put(Changed(old, other), 200);
        Assert.Equal(before, SealedOf(Stored()));
        Assert.Contains(other.Replace('\'', '"'), Stored(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "55")]
    public void A_task_that_moves_in_its_list_takes_its_secrets_along()
    {
        Create();
        JsonObject record = JsonNode.Parse(RecordCanaries.Masked)!.AsObject();
        JsonArray tasks = record["PeriodicBackups"]!.AsArray();
        JsonNode first = tasks[0]!;
        tasks.RemoveAt(0);
        tasks.Add(first);
        Put(record.ToJsonString(), 200);
        Put(record.ToJsonString(), 200);
        Assert.DoesNotContain(RecordCanaries.Canary, Stored(), StringComparison.Ordinal);

        // Each opens at its new place: a rotation opens them all.
        _server.State.Security.Secrets.Rotate();
        Put(record.ToJsonString(), 200);
    }

    [Theory]
    [Trait("Security", "55")]
    [InlineData("""{"SqlConnectionStrings":{"new":{"ConnectionString":"*****"}}}""")]
    [InlineData("""{"PeriodicBackups":[{"TaskId":3,"S3Settings":{"BucketName":"b","AwsSecretKey":"*****"}}]}""")]
    [InlineData("""{"Settings":{"New.Password":"*****"}}""")]
    public void Asterisks_stand_for_nothing_that_is_not_stored(string record)
    {
        Create();
        Assert.Contains("none is stored", Put(record, 400), StringComparison.Ordinal);
        Assert.Contains(
            "none is stored", Send("PUT", "/admin/databases?name=blue", record, 400), StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Security", "55")]
    [InlineData("****")]
    [InlineData("*******")]
    [InlineData("***** ")]
    public void Other_numbers_of_asterisks_are_a_secret(string secret)
    {
        string record = """{"SqlConnectionStrings":{"s":{"ConnectionString":"?"}}}""".Replace(
            "?", secret, StringComparison.Ordinal);
        Send("PUT", "/admin/databases?name=red", record, 201);
        Assert.Single(SealedOf(Stored()));
        Assert.Contains("\"*****\"", Send("GET", "/admin/databases?name=red", "", 200), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "57")]
    public void A_sealed_value_is_taken_at_its_own_place_only()
    {
        Create();
        string text = SealedOf(Stored())[0];
        foreach (string place in new[]
        {
            """{"SqlConnectionStrings":{"sql/1":{"ConnectionString":{"$sealed":1,"v":"?"}}}}""",
            """{"Settings":{"ETL.Other.Password":{"$sealed":1,"v":"?"}}}""",
            """{"Studio":{"Note":{"$sealed":1,"v":"?"}}}""",
            """{"Studio":{"Note":{"$sealed":1}}}""",
        })
        {
            string record = place.Replace("?", text, StringComparison.Ordinal);
            Assert.Contains("is the server's", Put(record, 400), StringComparison.Ordinal);
            Assert.Contains(
                "is the server's", Send("PUT", "/admin/databases?name=blue", record, 400), StringComparison.Ordinal);
        }
    }

    [Fact]
    [Trait("Security", "55")]
    public void Settings_keep_their_secrets_too()
    {
        Create();
        IReadOnlyList<string> before = SealedOf(Stored());
        const string url = "/databases/red/admin/configuration/settings";
        Send("PUT", url, """{"ETL.Some.Password":"*****","ETL.Some.Url":"https://a"}""", 204);
        Assert.Contains(before[0], SealedOf(Stored()));
        Assert.Contains(
            "ETL.Some.Url",
            Send("PUT", url, """{"ETL.Some.Password":"*****","ETL.Some.Url":"https://b"}""", 400),
            StringComparison.Ordinal);
        Send("PUT", url, """{"ETL.Some.Password":"canary-new","ETL.Some.Url":"https://b"}""", 204);
        Assert.DoesNotContain(RecordCanaries.Canary, Stored(), StringComparison.Ordinal);
        Assert.Equal(before.Count, SealedOf(Stored()).Count);
    }

    [Fact]
    public void What_is_stored_unsealed_is_masked_and_sealed_by_the_next_change()
    {
        IRecordSealer? sealer = _server.State.Databases.RecordSealer;
        _server.State.Databases.RecordSealer = null;
        _server.State.Databases.TryCreate("red", Encoding.UTF8.GetBytes(RecordCanaries.Planted()), out _);
        _server.State.Databases.RecordSealer = sealer;
        Assert.Contains(RecordCanaries.Canary, Stored(), StringComparison.Ordinal);
        Assert.DoesNotContain(
            RecordCanaries.Canary, Send("GET", "/admin/databases?name=red", "", 200), StringComparison.Ordinal);
        Put(RecordCanaries.Masked, 200);
        Assert.DoesNotContain(RecordCanaries.Canary, Stored(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "KEYS-2")]
    public void A_rotation_seals_everything_anew_and_loses_nothing()
    {
        Create();
        IReadOnlyList<string> before = SealedOf(Stored());
        long etag = Etag();
        _server.State.Security.Secrets.Rotate();
        Assert.Equal(etag, Etag());
        Assert.Equal(RecordCanaries.Count, SealedOf(Stored()).Count);
        Assert.Empty(before.Intersect(SealedOf(Stored())));
        Put(RecordCanaries.Masked, 200);
        _server.State.Security.Secrets.Rotate();
    }

    /// <summary>The masked record with a part of it replaced, both with <c>'</c> for <c>"</c>.</summary>
    private static string Changed(string old, string other)
    {
        string[] parts = RecordCanaries.Masked.Split(old.Replace('\'', '"'));
        Assert.Equal(2, parts.Length);
        return parts[0] + other.Replace('\'', '"') + parts[1];
    }

    private static IReadOnlyList<string> SealedOf(string stored) =>
        [.. stored.Split("\"$sealed\":1,\"v\":\"").Skip(1).Select(part => part.Split('"')[0])];

    private void Create() => Send("PUT", "/admin/databases?name=red", RecordCanaries.Planted(), 201);

    private string Put(string record, int status)
    {
        var request = new InMemoryRequest("PUT", "/admin/databases", "?name=red", record);
        request.Request["ETag"] = $"{Etag()}";
        int actual = _server.Send(request);
        Assert.True(actual == status, $"{actual} instead of {status}: {request.Answer}");
        return status < 400 ? request.Answer : (string)JsonNode.Parse(request.Answer)!["Message"]!;
    }

    private long Etag() => _server.State.Databases.TryGetRecord("red", out DatabaseRecord? record) ? record.Etag : 0;

    private string Stored()
    {
        Assert.True(_server.State.Databases.TryGetRecord("red", out DatabaseRecord? record));
        return Encoding.UTF8.GetString(record!.Json.Span);
    }

    private string Send(string method, string target, string body, int status)
    {
        string[] parts = target.Split('?', 2);
        var request = new InMemoryRequest(method, parts[0], parts.Length == 2 ? "?" + parts[1] : "", body);
        int actual = _server.Send(request);
        Assert.True(actual == status, $"{actual} instead of {status}: {request.Answer}");
        return status < 400 ? request.Answer : (string)JsonNode.Parse(request.Answer)!["Message"]!;
    }
}
