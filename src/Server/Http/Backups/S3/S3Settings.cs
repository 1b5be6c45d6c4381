using System.Text.Json;
using System.Text.RegularExpressions;

namespace Raven.Server.Http.Backups.S3;

/// <summary>A place in storage that speaks S3. Immutable.</summary>
internal sealed partial record S3Settings
{
    /// <summary>What stands for a secret that was not opened.</summary>
    private const string Mask = "*****";

    private const int FolderLengthMax = 512;

    /// <summary>The bucket.</summary>
    internal required string Bucket { get; init; }

    /// <summary>The folder in it, without slashes at its ends; empty for the bucket itself.</summary>
    internal string Folder { get; init; } = "";

    /// <summary>The server; null for that of Amazon's region.</summary>
    internal Uri? Server { get; init; }

    /// <summary>The region.</summary>
    internal string Region { get; init; } = "us-east-1";

    /// <summary>Whether the bucket is in the path of addresses, and not in the name of the host.</summary>
    internal bool HasPathStyle { get; init; }

    /// <summary>The class of storage of what is written; null for that of the bucket.</summary>
    internal string? StorageClass { get; init; }

    /// <summary>The name of the key.</summary>
    internal required string AccessKey { get; init; }

    /// <summary>The key.</summary>
    internal required string SecretKey { get; init; }

    /// <summary>The token of a session; null for none.</summary>
    internal string? SessionToken { get; init; }

    /// <summary>Where it is, for people.</summary>
    internal string Description => $"s3://{Bucket}{(Folder.Length == 0 ? "" : "/" + Folder)}";

    /// <summary>Tells it apart from all other places: buckets of two servers may have one name.</summary>
    internal string Key => $"s3 {Server?.GetLeftPart(UriPartial.Authority)} {Region} {Bucket}/{Folder}";

    /// <summary>Reads settings.</summary>
    /// <exception cref="BadRequestException">They are not valid: the message says where.</exception>
    internal static S3Settings Parse(JsonElement json)
    {
        BackupConfiguration.RequireObject(json, "S3Settings");
        if (BackupConfiguration.Member(json, "GetBackupConfigurationScript") is { ValueKind: not JsonValueKind.Null })
        {
            throw Wrong("S3Settings.GetBackupConfigurationScript: no request names a program to be run.");
        }

        Uri? server = ServerOf(BackupConfiguration.Text(json, "CustomServerUrl"));
        string? region = BackupConfiguration.Text(json, "AwsRegionName");
        if (server == null && string.IsNullOrEmpty(region))
        {
            throw Wrong("S3Settings: AwsRegionName must name the region, or CustomServerUrl the server.");
        }

        return new S3Settings
        {
            Bucket = Required(json, "BucketName", BucketPattern(), "the name of a bucket"),
            Folder = FolderOf(BackupConfiguration.Text(json, "RemoteFolderName")),
            Server = server,
            Region = string.IsNullOrEmpty(region)
                ? "us-east-1"
                : Required(json, "AwsRegionName", RegionPattern(), "the name of a region"),
            HasPathStyle = BackupConfiguration.IsTrue(json, "ForcePathStyle"),
            StorageClass = string.IsNullOrEmpty(BackupConfiguration.Text(json, "StorageClass"))
                ? null
                : Required(json, "StorageClass", ClassPattern(), "a class of storage"),
            AccessKey = Required(json, "AwsAccessKey", KeyPattern(), "the name of a key"),
            SecretKey = Required(json, "AwsSecretKey", SecretPattern(), "a key"),
            SessionToken = string.IsNullOrEmpty(BackupConfiguration.Text(json, "AwsSessionToken"))
                ? null
                : Required(json, "AwsSessionToken", SecretPattern(), "the token of a session"),
        };
    }

    /// <summary>The same with another folder below this one.</summary>
    internal S3Settings Within(string folder) =>
        this with { Folder = Folder.Length == 0 ? folder : $"{Folder}/{folder}" };

    /// <summary>Requires that its secrets are there.</summary>
    /// <exception cref="BadRequestException">They could not be opened, or are still to be entered.</exception>
    internal void RequireSecrets()
    {
        if (SecretKey == Mask || SessionToken == Mask)
        {
            throw Wrong($"The key for {Description} is not there: it must be entered again.");
        }
    }

    private static Uri? ServerOf(string? text)
    {
        if (string.IsNullOrEmpty(text))
        {
            return null;
        }

        if (!Uri.TryCreate(text, UriKind.Absolute, out Uri? server)
            || (server.Scheme != Uri.UriSchemeHttps && server.Scheme != Uri.UriSchemeHttp)
            || server.UserInfo.Length > 0 || server.AbsolutePath != "/" || server.Query.Length > 0
            || server.Fragment.Length > 0 || server.Host.Length == 0)
        {
            throw Wrong(
                "S3Settings.CustomServerUrl must be the address of a server alone, as https://s3.example.com:9000 is.");
        }

        return server;
    }

    private static string FolderOf(string? text)
    {
        string folder = (text ?? "").Trim('/');
        if (folder.Length > FolderLengthMax || folder.Any(char.IsControl)
            || folder.Split('/').Any(part => part is "." or ".." || (part.Length == 0 && folder.Length > 0)))
        {
            throw Wrong(
                "S3Settings.RemoteFolderName must be names with / between them, of "
                + $"{FolderLengthMax} characters at most.");
        }

        return folder;
    }

    private static string Required(JsonElement json, string name, Regex pattern, string what)
    {
        string text = BackupConfiguration.Text(json, name) ?? "";
        return pattern.IsMatch(text)
            ? text
            : throw Wrong(text.Length == 0 ? $"S3Settings.{name} is missing." : $"S3Settings.{name} is not {what}.");
    }

    private static BadRequestException Wrong(string message) => new(400, ErrorType.Argument, message);

    [GeneratedRegex("^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$(?<!\n)")]
    private static partial Regex BucketPattern();

    [GeneratedRegex("^[a-z0-9-]{1,64}$(?<!\n)")]
    private static partial Regex RegionPattern();

    [GeneratedRegex("^[A-Z0-9_]{1,64}$(?<!\n)")]
    private static partial Regex ClassPattern();

    [GeneratedRegex("^[!-~]{1,256}$(?<!\n)")]
    private static partial Regex KeyPattern();

    [GeneratedRegex("^[!-~]{1,8192}$(?<!\n)")]
    private static partial Regex SecretPattern();
}
