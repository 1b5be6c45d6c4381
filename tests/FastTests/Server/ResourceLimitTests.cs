using System.Runtime.CompilerServices;
using FastTests.Support;
using Microsoft.Win32.SafeHandles;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Storage.Errors;

namespace FastTests.Server;

/// <summary>What the system refuses is reported as such, and nothing else ends because of it.</summary>
public sealed class ResourceLimitTests
{
    [Fact]
    [Trait("Fault", "D16")]
    public void Storage_is_not_opened_with_few_file_descriptors_left_and_the_error_names_the_limit()
    {
        long open = 100;
        var descriptors = new FileDescriptors(200, () => open);
        descriptors.Require("folder");
        open = 200 - descriptors.Reserved + 1;
        var refused = Assert.Throws<StorageIOException>(() => descriptors.Require("folder"));
        Assert.True(refused.IsOutOfDescriptors);
        Assert.Contains("file descriptors", refused.Message, StringComparison.Ordinal);
        Assert.Contains("200", descriptors.Describe(), StringComparison.Ordinal);
        Assert.Contains("ulimit -n", descriptors.Describe(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "D16")]
    public void The_reserve_of_file_descriptors_is_a_share_of_those_free_at_the_start()
    {
        long open = 130;
        var descriptors = new FileDescriptors(200, () => open);
        Assert.Equal(17, descriptors.Reserved);
        Assert.Equal(53, descriptors.LeftForStorage);
        open = 154;
        descriptors.Require("the first database");
        open = 190;
        Assert.Equal(0, descriptors.LeftForStorage);
        Assert.Equal(16, new FileDescriptors(64, () => 60).Reserved);
    }

    [Fact]
    [Trait("Fault", "D16")]
    public void A_low_limit_of_file_descriptors_is_reported_at_the_start_and_limits_the_connections()
    {
        var few = new FileDescriptors(200, () => 50);
        Assert.True(few.AreFew);
        Assert.Equal(100, few.ConnectionsMax);
        Assert.Equal(15_000, new FileDescriptors(20_000, () => 50).ConnectionsMax);
        var many = new FileDescriptors(262_144, () => 50);
        Assert.False(many.AreFew);
        Assert.Equal(256, many.Reserved);
        var unknown = new FileDescriptors(long.MaxValue, () => 50);
        Assert.Null(unknown.ConnectionsMax);
        unknown.Require("folder");
    }

    [Fact]
    public void Open_files_are_counted_and_the_count_does_not_look_each_of_them_up()
    {
        var descriptors = FileDescriptors.OfProcess();
        var files = new List<SafeFileHandle>();
        try
        {
            for (int i = 0; i < 500; i++)
            {
                files.Add(File.OpenHandle("/dev/null"));
            }

            Assert.InRange(descriptors.LeftForStorage, 0, descriptors.Limit - descriptors.Reserved - files.Count);
            Cost.AssertWork(
                10, () => _ = descriptors.LeftForStorage, () => Directory.GetFiles("/proc/self/fdinfo"));
        }
        finally
        {
            files.ForEach(file => file.Dispose());
        }
    }

    [Theory]
    [InlineData("Max open files            1024                 524288               files     ", 1024)]
    [InlineData("Max open files            unlimited            unlimited            files     ", long.MaxValue)]
    [InlineData("Max processes             95                   95                   processes ", long.MaxValue)]
    [Trait("Fault", "D16")]
    public void The_limit_of_file_descriptors_is_read_from_the_system(string line, long limit) =>
        Assert.Equal(limit, FileDescriptors.ReadLimit(["Limit  Soft Limit  Hard Limit  Units", line]));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Fault", "D18")]
    public void A_request_that_runs_out_of_memory_is_answered_with_503(bool isWrapped)
    {
        using TestServer server = new();
        Exception failure = isWrapped
            ? new InvalidOperationException("above", new InsufficientMemoryException("none"))
            : (Exception)RuntimeHelpers.GetUninitializedObject(typeof(OutOfMemoryException));
        (int status, string type, string message) = Describe(server, failure);
        Assert.Equal((503, ErrorType.Timeout), (status, type));
        Assert.Contains("memory", message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "D16")]
    public void A_request_that_runs_out_of_file_descriptors_is_answered_with_503_and_the_limit()
    {
        using TestServer server = new();
        (int status, _, string message) = Describe(
            server, new StorageIOException("journal-7", "opening", 24, "Too many open files"));
        Assert.Equal(503, status);
        Assert.Contains("journal-7", message, StringComparison.Ordinal);
        Assert.Contains("ulimit -n", message, StringComparison.Ordinal);
    }

    private static (int Status, string Type, string Message) Describe(TestServer server, Exception failure)
    {
        FailureAnswer described = FailureMapping.Describe(server.Host.State, failure);
        return (described.StatusCode, described.Type, described.Message);
    }
}
