using System.Collections.Concurrent;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using Raven.Documents;
using Raven.Server.Http.Backups;
using Shared.S3;

namespace FastTests.Server.Backups;

/// <summary>Backups to S3 and back, beside a server that throttles, cuts and lies.</summary>
public sealed class S3BackupTests(S3Server server) : IClassFixture<S3Server>, IDisposable
{
    private const int LargeBytes = 200_000;

    private S3StandIn S3 => server.S3;

    private BackupServer Backups => server.Backups;

    public void Dispose()
    {
        S3.Fault = _ => S3Fault.None;
        S3.Signature.IsExpired = false;
        S3.PageSize = 1000;
    }

    [Fact]
    [Trait("Invariant", "S3-3")]
    public async Task A_chain_goes_to_the_bucket_and_each_file_of_it_can_be_restored_up_to()
    {
        (string name, long task) = await server.CreateAsync();
        await Backups.RunAsync(name, task, isFull: true);
        await server.PutAsync(name, "b", 2);
        JsonNode second = await Backups.RunAsync(name, task, isFull: false);
        Assert.False((bool)second["Result"]!["IsFull"]!);
        string[] keys = server.Keys(name);
        Assert.Equal(4, keys.Length);
        Assert.False(Directory.Exists(Backups.Folder(name)));
        S3.PageSize = 1;
        HttpAnswer points = await Backups.SendAsync("POST", "/admin/restore/points?type=S3", S3.Settings(name));
        JsonArray list = points.Expect(HttpStatusCode.OK).Json["List"]!.AsArray();
        Assert.Equal(2, list.Count);
        Assert.Equal("s3://backups/" + server.LastFolder(name), (string?)list[0]!["Location"]);

        await server.RestoreAsync(name, name + "-all");
        await server.RestoreAsync(
            name, name + "-first", $",\"LastFileNameToRestore\":\"{name}/x/{list[0]!["FileName"]}\"");
        Assert.Equal(2, await CountAsync(name + "-all"));
        Assert.Equal(1, await CountAsync(name + "-first"));
        JsonNode status = (await Backups.StatusAsync(name, task))["Status"]!;
        Assert.Null(status["Error"]);
        Assert.False((bool)status["UploadToS3"]!["Skipped"]!);
        JsonNode shown = (await Backups.SendAsync("GET", $"/databases/{name}/task?key={task}&type=Backup")).Json;
        Assert.Equal("AmazonS3", (string?)Assert.Single(shown["BackupDestinations"]!.AsArray()));
        Assert.Equal(0, S3.Unfinished);
    }

    [Fact]
    public async Task The_key_is_stored_sealed_and_shown_as_asterisks()
    {
        (string name, long task) = await server.CreateAsync();
        HttpAnswer shown = await Backups.SendAsync("GET", $"/periodic-backup?name={name}&taskId={task}");
        Assert.Equal("*****", (string?)shown.Expect(HttpStatusCode.OK).Json["S3Settings"]!["AwsSecretKey"]);
        Assert.True(Backups.State.Databases.TryGetRecord(name, out Raven.Documents.Catalog.DatabaseRecord? record));
        Assert.DoesNotContain(
            S3.Signature.SecretKey, Encoding.UTF8.GetString(record.Json.ToArray()), StringComparison.Ordinal);

        // What is sent back with the asterisks still works; with another server beside them it is refused.
        JsonNode task2 = shown.Json;
        (await Backups.SendAsync("POST", $"/databases/{name}/admin/periodic-backup", task2.ToJsonString()))
            .Expect(HttpStatusCode.OK);
        await Backups.RunAsync(name, task, isFull: true);
        task2["S3Settings"]!["CustomServerUrl"] = "https://s3.example.com";
        (await Backups.SendAsync("POST", $"/databases/{name}/admin/periodic-backup", task2.ToJsonString()))
            .ExpectError(400, "another target");
    }

    [Fact]
    [Trait("Invariant", "BKP-9")]
    public async Task What_a_bucket_misses_is_copied_by_the_next_run()
    {
        (string name, long task) = await server.CreateAsync(isLocal: true);
        S3.Fault = call => call.Kind == S3CallKind.Put ? S3Fault.Skewed : S3Fault.None;
        await Backups.RunAsync(name, task, isFull: true, "Faulted");
        JsonNode status = (await Backups.StatusAsync(name, task))["Status"]!;
        Assert.NotNull(status["LastFullBackup"]);
        Assert.Contains("RequestTimeTooSkewed", (string?)status["Error"]!["Exception"], StringComparison.Ordinal);
        Assert.Null(status["UploadToS3"]!["LastFullBackup"]);
        Assert.Empty(server.Keys(name));

        S3.Fault = _ => S3Fault.None;
        await server.PutAsync(name, "b", 2);
        await Backups.RunAsync(name, task, isFull: false);
        Assert.Equal(4, server.Keys(name).Length);
        Assert.Null((await Backups.StatusAsync(name, task))["Status"]!["Error"]);
        await server.RestoreAsync(name, name + "-copy");
        Assert.Equal(2, await CountAsync(name + "-copy"));
    }

    [Theory]
    [Trait("Invariant", "BKP-8")]
    [Trait("Invariant", "BKP-9")]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_database_is_restored_from_the_bucket_to_a_time(bool isLocal)
    {
        (string name, long task) = await server.CreateAsync(",\"ArchiveJournal\":true", isLocal);
        await Backups.RunAsync(name, task, isFull: true);
        await server.PutAsync(name, "b", 2);
        string second = await ArchiveAsync(name, task);

        // The bucket refuses a piece: that is in the status, and the next try has all of it.
        await server.PutAsync(name, "c", 3);
        S3.Fault = call => call.Kind == S3CallKind.Put ? S3Fault.Skewed : S3Fault.None;
        Assert.Contains("RequestTimeTooSkewed", await ArchiveAsync(name, task, isRefused: true));
        S3.Fault = _ => S3Fault.None;
        string third = await ArchiveAsync(name, task);
        string[] pieces = [.. server.Keys(name).Where(key => key.EndsWith("-journal", StringComparison.Ordinal))];
        Assert.Equal(2, pieces.Length);
        Assert.Equal(6, server.Keys(name).Length);

        foreach ((string time, int count) in ((string, int)[])[(second, 2), (third, 3)])
        {
            JsonNode done = await server.RestoreAsync(name, $"{name}-{count}", $",\"RestoreTo\":\"{time}\"");
            Assert.Equal(count, (int)done["Result"]!["Documents"]!);
            Assert.Equal(time, (string?)done["Result"]!["CommittedAt"]);
            Assert.Equal(count, await CountAsync($"{name}-{count}"));
        }

        // A damaged piece is named.
        S3.Objects[pieces[1]][^1] ^= 1;
        JsonNode damaged = await server.RestoreAsync(name, name + "-x", $",\"RestoreTo\":\"{third}\"", "Faulted");
        Assert.Contains(Path.GetFileName(pieces[1]), damaged.ToJsonString(), StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Row", "70")]
    [Trait("Row", "78")]
    [Trait("Invariant", "S3-2")]
    [InlineData(nameof(S3Fault.SlowDown))]
    [InlineData(nameof(S3Fault.TooMany))]
    [InlineData(nameof(S3Fault.Cut))]
    [InlineData(nameof(S3Fault.CutAfter))]
    [InlineData(nameof(S3Fault.CutHalf))]
    public async Task What_passes_is_tried_again_at_each_call(string kind)
    {
        S3Fault fault = Enum.Parse<S3Fault>(kind);
        (string name, long task) = await server.CreateAsync();
        await PutLargeAsync(name);
        var calls = new ConcurrentDictionary<string, int>();
        S3.Fault = call =>
        {
            // Each call fails the first two times. An upload that was begun without an answer is nobody's, and stays.
            string which = $"{call.Kind} {call.Key} {call.Query.GetValueOrDefault("partNumber")}";
            int attempt = calls.AddOrUpdate(which, 1, static (_, before) => before + 1);
            bool isMeant = fault == S3Fault.CutHalf ? call.Kind == S3CallKind.Get
                : fault != S3Fault.CutAfter || call.Kind != S3CallKind.Begin;
            return isMeant && attempt < 3 ? fault : S3Fault.None;
        };
        await Backups.RunAsync(name, task, isFull: true);
        S3.Fault = _ => S3Fault.None;
        Assert.Contains(calls, call => call.Value >= 3);
        Assert.Equal(0, S3.Unfinished);
        await server.RestoreAsync(name, name + "-copy");
        Assert.Equal(2, await CountAsync(name + "-copy"));
    }

    [Theory]
    [Trait("Row", "78")]
    [Trait("Row", "79")]
    [Trait("Invariant", "BKP-4")]
    [InlineData(nameof(S3Fault.SlowDown), S3CallKindName.Part, "SlowDown (503)")]
    [InlineData(nameof(S3Fault.Skewed), S3CallKindName.Part, "RequestTimeTooSkewed (403)")]
    [InlineData(nameof(S3Fault.Redirect), S3CallKindName.Part, "redirect (307)")]
    [InlineData(nameof(S3Fault.Cut), S3CallKindName.Part, "no answer as a server of S3")]
    [InlineData(nameof(S3Fault.ErrorBody), S3CallKindName.Complete, "InternalError")]
    [InlineData(nameof(S3Fault.LosesBytes), S3CallKindName.Complete, "bytes")]
    [InlineData(nameof(S3Fault.LosesBytes), S3CallKindName.Put, "manifest")]
    [InlineData(nameof(S3Fault.FlipsBit), S3CallKindName.Get, "hash")]
    public async Task What_does_not_pass_fails_the_run_and_leaves_nothing(string kind, string at, string says)
    {
        S3Fault fault = Enum.Parse<S3Fault>(kind);
        (string name, long task) = await server.CreateAsync();
        await PutLargeAsync(name);
        S3.Fault = call => call.Kind.ToString() == at ? fault : S3Fault.None;
        await Backups.RunAsync(name, task, isFull: true, "Faulted");
        JsonNode status = (await Backups.StatusAsync(name, task))["Status"]!;
        string error = (string)status["Error"]!["Exception"]!;
        Assert.Contains(says, error, StringComparison.Ordinal);
        Assert.DoesNotContain("canary", error, StringComparison.Ordinal);
        Assert.Null(status["LastFullBackup"]);
        S3.Fault = _ => S3Fault.None;
        Assert.Equal(0, S3.Unfinished);
        Assert.DoesNotContain(server.Keys(name), key => key.EndsWith(".manifest.json", StringComparison.Ordinal));
        await Backups.RunAsync(name, task, isFull: true);
        Assert.Null((await Backups.StatusAsync(name, task))["Status"]!["Error"]);
    }

    [Theory]
    [Trait("Row", "78")]
    [InlineData(nameof(S3Fault.TruncatedListing), "without an end")]
    [InlineData(nameof(S3Fault.Endless), "more than 8388608 bytes")]
    public async Task A_listing_without_an_end_is_an_error(string kind, string says)
    {
        (string name, long task) = await server.CreateAsync();
        await Backups.RunAsync(name, task, isFull: true);
        S3.Fault = call => call.Kind == S3CallKind.List ? Enum.Parse<S3Fault>(kind) : S3Fault.None;
        (await Backups.SendAsync("POST", "/admin/restore/points?type=S3", S3.Settings(name))).ExpectError(400, says);
    }

    [Fact]
    [Trait("Invariant", "SOURCE-1")]
    public async Task A_restore_is_answered_before_the_bucket_is_read()
    {
        (string name, long task) = await server.CreateAsync();
        await Backups.RunAsync(name, task, isFull: true);
        string folder = server.LastFolder(name);
        string verified = $$"""{"Type":"S3","Settings":{{S3.Settings(folder)}}}""";

        // What a body says by itself is refused at once.
        foreach (string member in (string[])["\"RestoreTo\":\"noon\"", "\"EncryptionKey\":\"x\""])
        {
            (await Backups.SendAsync("POST", "/admin/backup/verify", $"{verified[..^1]},{member}}}")).Expect(
                HttpStatusCode.BadRequest);
        }

        S3.Fault = _ => S3Fault.Skewed;
        JsonNode state = await server.RestoreAsync(name, name + "-x", "", "Faulted");
        Assert.Contains("RequestTimeTooSkewed", state.ToJsonString(), StringComparison.Ordinal);
        HttpAnswer answer = await Backups.SendAsync("POST", "/admin/backup/verify", verified);
        state = await Backups.EndAsync((long)answer.Expect(HttpStatusCode.OK).Json["OperationId"]!, "Faulted");
        Assert.Contains("RequestTimeTooSkewed", state.ToJsonString(), StringComparison.Ordinal);
        Assert.Equal(name, Backups.State.Operations.All.MaxBy(one => one.Id)!.Database);

        S3.Fault = _ => S3Fault.None;
        S3.Objects.TryRemove(server.Keys(name).Single(key => key.EndsWith(".json", StringComparison.Ordinal)), out _);
        state = await server.RestoreAsync(name, name + "-x", "", "Faulted");
        Assert.Contains("There is no full backup", state.ToJsonString(), StringComparison.Ordinal);
        Assert.DoesNotContain(name + "-x", Backups.State.Databases.Names());
    }

    [Fact]
    [Trait("Row", "79")]
    public async Task Credentials_are_tested_and_what_the_server_refuses_is_said()
    {
        Assert.Null(await TestAsync(S3.Settings("a folder/ä+%")));
        Assert.Contains("SignatureDoesNotMatch", await TestAsync(S3.Settings("x", "wrong")), StringComparison.Ordinal);
        S3.Signature.IsExpired = true;
        Assert.Contains("ExpiredToken", await TestAsync(S3.Settings("x")), StringComparison.Ordinal);
        S3.Signature.IsExpired = false;
        string other = S3.Settings("x").Replace("\"backups\"", "\"others\"", StringComparison.Ordinal);
        Assert.Contains("NoSuchBucket", await TestAsync(other), StringComparison.Ordinal);
        other = S3.Settings("x").Replace(S3.Signature.Region, "us-west-2", StringComparison.Ordinal);
        Assert.Contains("AuthorizationHeaderMalformed", await TestAsync(other), StringComparison.Ordinal);
        Assert.DoesNotContain(S3.Objects.Keys, key => key.Contains("raven-test", StringComparison.Ordinal));
    }

    [Theory]
    [Trait("Row", "77")]
    [Trait("Invariant", "S3-1")]
    [InlineData("https://127.0.0.1:9")]
    [InlineData("https://[::1]:9")]
    [InlineData("https://0x7f.1")]
    [InlineData("https://169.254.169.254")]
    [InlineData("https://[fd00:ec2::254]")]
    [InlineData("https://[::ffff:127.0.0.1]")]
    [InlineData("https://[64:ff9b::a9fe:a9fe]")]
    [InlineData("https://100.100.100.200")]
    [InlineData("https://localhost:9")]
    [InlineData("http://s3.example.com")]
    [InlineData("http://10.0.0.1")]
    [InlineData("https://user:secret@s3.example.com")]
    [InlineData("https://s3.example.com/path")]
    [InlineData("file:///etc/passwd")]
    [InlineData("gopher://s3.example.com")]
    public async Task No_request_makes_the_server_speak_to_itself_or_to_its_network(string url)
    {
        int before = S3.Calls.Count;
        string settings = S3.Settings("x").Replace(S3.Url, url, StringComparison.Ordinal);
        HttpAnswer answer = await Backups.SendAsync(
            "POST", "/studio-tasks/periodic-backup/test-credentials?type=S3", settings);
        string? says = answer.Status == 200 ? (string?)answer.Json["Error"] : answer.Text;
        Assert.False(answer.Status == 200 && (bool)answer.Json["Success"]!);
        Assert.True(
            says!.Contains("Backup.AllowedHosts", StringComparison.Ordinal)
            || says.Contains("CustomServerUrl", StringComparison.Ordinal), says);
        Assert.Equal(before, S3.Calls.Count);
    }

    [Fact]
    [Trait("Row", "77")]
    public async Task A_redirect_is_not_followed()
    {
        S3.Fault = _ => S3Fault.Redirect;
        Assert.Contains("redirect", await TestAsync(S3.Settings("x")), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "BKP-6")]
    public async Task Retention_and_cancellation_leave_nothing_of_theirs_in_the_bucket()
    {
        (string name, long task) = await server.CreateAsync(
            ",\"RetentionPolicy\":{\"MinimumBackupAgeToKeep\":\"00:00:00\"}");
        S3.Objects[$"{name}/stranger.txt"] = [1];
        await Backups.RunAsync(name, task, isFull: true);
        string[] first = server.Keys(name);
        await server.PutAsync(name, "b", 2);
        await Backups.RunAsync(name, task, isFull: true);
        string[] second = server.Keys(name);
        Assert.Equal(3, second.Length);
        Assert.Equal([$"{name}/stranger.txt"], first.Intersect(second));

        // It is put off while a part is on its way.
        await PutLargeAsync(name);
        var reached = new TaskCompletionSource();
        S3.Fault = call =>
        {
            if (call.Kind == S3CallKind.Part)
            {
                reached.TrySetResult();
                return S3Fault.Stall;
            }

            return S3Fault.None;
        };
        (await Backups.SendAsync(
            "POST", $"/databases/{name}/admin/backup/database?isFullBackup=true&taskId={task}"))
            .Expect(HttpStatusCode.OK);
        await reached.Task.WaitAsync(Support.Deadline.Hang);
        (await Backups.SendAsync(
            "POST", $"/admin/backup-task/delay?database={name}&taskId={task}&duration=01:00:00"))
            .Expect(HttpStatusCode.NoContent);
        Assert.Equal(0, S3.Unfinished);
        Assert.Equal(second, server.Keys(name));
    }

    /// <summary>Archives what has changed: until when, or why not.</summary>
    private async Task<string> ArchiveAsync(string name, long task, bool isRefused = false)
    {
        BackupService backups = Backups.State.Backups;
        Assert.True(Backups.State.Databases.TryGet(name, out Database? database));
        while (true)
        {
            // The timer of the server may look at the same time: what it began need not have the last change.
            (await backups.Archiver.EnterAsync(name, task)).Dispose();
            backups.Tick();
            await Task.WhenAll(backups.Archiver.Work).WaitAsync(Support.Deadline.Hang);
            JsonNode? archive = backups.StatusOf(name, task).ToJson()["JournalArchive"];
            string? error = (string?)archive?["Error"]?["Exception"];
            if (isRefused && error != null)
            {
                return error;
            }

            if (!isRefused && archive != null && error == null
                && (long?)archive["LastTransaction"] == database.OpenStorage!.Environment.LastTransactionId)
            {
                return (string)archive["LastCommittedAt"]!;
            }
        }
    }

    private async Task<string?> TestAsync(string settings)
    {
        HttpAnswer answer = await Backups.SendAsync(
            "POST", "/studio-tasks/periodic-backup/test-credentials?type=S3", settings);
        JsonNode json = answer.Expect(HttpStatusCode.OK).Json;
        Assert.Equal(json["Error"] is null, (bool)json["Success"]!);
        return (string?)json["Error"];
    }

    /// <summary>What does not get small: a backup of it has several parts.</summary>
    private async Task PutLargeAsync(string name)
    {
        byte[] bytes = new byte[LargeBytes];
        new Random(3).NextBytes(bytes);
        (await Backups.SendAsync(
            "PUT", $"/databases/{name}/docs?id=large", $$"""{"Text":"{{Convert.ToBase64String(bytes)}}"}"""))
            .Expect(HttpStatusCode.Created);
    }

    private async Task<int> CountAsync(string name) =>
        (int)(await Backups.SendAsync("GET", $"/databases/{name}/stats")).Expect(HttpStatusCode.OK)
            .Json["CountOfDocuments"]!;

    private static class S3CallKindName
    {
        internal const string Part = nameof(S3CallKind.Part);
        internal const string Complete = nameof(S3CallKind.Complete);
        internal const string Put = nameof(S3CallKind.Put);
        internal const string Get = nameof(S3CallKind.Get);
    }
}
