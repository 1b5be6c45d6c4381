using System.CommandLine;
using System.IO.Compression;
using System.Text.Json.Nodes;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;
using Raven.Security.Certificates;
using Raven.Server.Setup;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven cert</c>: the certificates of clients that the server trusts.</summary>
internal static class CertificateVerbs
{
    private const int FileBytesMax = 1 << 20;
    private const string Certificates = "/admin/certificates";

    private static readonly Argument<string> Source = new("file")
    {
        Description = "A certificate, .crt, .pem or .pfx without a password; a private key in it stays here",
    };

    private static readonly Argument<string> Name = new("name")
    {
        Description = "A name for people",
    };

    private static readonly Argument<string> Thumbprint = new("thumbprint")
    {
        Description = "The thumbprint, as the list has it",
    };

    private static readonly Option<string?> GivenName = new("--name")
    {
        Description = "A name for people; that of the file if it is not given",
    };

    private static readonly Option<string> Folder = new("--out")
    {
        Description = "The folder of the new files, which their owner alone can read",
        Required = true,
    };

    private static readonly Option<string?> PasswordFile = new("--password-file")
    {
        Description = "A file whose first line is the password of the .pfx; - is standard input",
    };

    /// <summary>The verb with those below it.</summary>
    internal static Command Create() => new("cert", "The certificates of clients that the server trusts")
    {
        AdminVerb.Of("list", "List them", [], ListAsync),
        AdminVerb.Of(
            "add", "Register one; --admin is also the way back when all administrators are lost",
            [Source, GivenName, Grant.Admin, Grant.Clearance, Grant.Permission], AddAsync),
        AdminVerb.Of(
            "new", "Make one and register it",
            [Name, Folder, PasswordFile, Grant.Admin, Grant.Clearance, Grant.Permission], NewAsync),
        AdminVerb.Of("rm", "Take the trust from one", [Thumbprint], RemoveAsync),
        AdminVerb.Of("refresh", "Have the server read its own certificate again", [], RefreshAsync),
    };

    private static async Task<int> ListAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        JsonNode answer = await server.GetAsync(Certificates + "?metadataOnly=true");
        JsonArray all = answer["Results"]!.AsArray();
        foreach (JsonNode? one in all)
        {
            await output.Lines.WriteLineAsync(
                $"{one!["Thumbprint"]}  ends {Day(one["NotAfter"])}  {one["Name"]}: {Grant.Describe(one)}");
        }

        output.Set("Certificates", all.DeepClone());
        return ExitCode.Success;
    }

    private static async Task<int> AddAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        string path = parsed.GetRequiredValue(Source);
        PostedCertificates posted = PostedCertificates.Read(ReadFile(path), TimeProvider.System.GetUtcNow());
        var thumbprints = new JsonArray();
        foreach (ClientCertificate certificate in posted.Certificates)
        {
            var body = new JsonObject
            {
                ["Name"] = parsed.GetValue(GivenName) ?? Path.GetFileNameWithoutExtension(path),
                ["Certificate"] = Convert.ToBase64String(certificate.Der),
            };
            Grant.AddTo(body, parsed);
            using HttpResponseMessage answer = await server.SendAsync(HttpMethod.Put, Certificates, body);
            thumbprints.Add(certificate.Thumbprint);
            await output.Lines.WriteLineAsync(
                $"Registered '{body["Name"]}' ({certificate.Thumbprint}): {Grant.Describe(body)}.");
        }

        output.Set("Thumbprints", thumbprints);
        if (posted.HadPrivateKey)
        {
            await output.Lines.WriteLineAsync(
                $"{path} has a private key, too. It was not sent: keep it where its owner alone can read it.");
        }

        return ExitCode.Success;
    }

    private static async Task<int> NewAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        var body = new JsonObject { ["Name"] = parsed.GetRequiredValue(Name) };
        Grant.AddTo(body, parsed);
        if (parsed.GetValue(PasswordFile) is { } password)
        {
            body["Password"] = SecretFile.ReadLine(password);
        }

        string folder = Path.GetFullPath(parsed.GetRequiredValue(Folder));
        if (Directory.Exists(folder) && Directory.EnumerateFileSystemEntries(folder).Any())
        {
            throw new IOException($"{folder} is not empty: no file there is overwritten. Give another one.");
        }

        using HttpResponseMessage answer = await server.SendAsync(HttpMethod.Post, Certificates, body);
        await using Stream content = await answer.Content.ReadAsStreamAsync();
        using var zip = new ZipArchive(content, ZipArchiveMode.Read);
        OwnerFiles.MakeFolder(folder);
        var files = new JsonArray();
        foreach (ZipArchiveEntry entry in zip.Entries)
        {
            string path = Path.Combine(folder, Path.GetFileName(entry.FullName));
            using var bytes = new MemoryStream();
            await using (Stream file = entry.Open())
            {
                await file.CopyToAsync(bytes);
            }

            OwnerFiles.Write(path, bytes.ToArray());
            files.Add(path);
            await output.Lines.WriteLineAsync(path);
        }

        output.Set("Files", files);
        await output.Lines.WriteLineAsync(
            $"Registered '{body["Name"]}': {Grant.Describe(body)}. The key is only here.");
        return ExitCode.Success;
    }

    private static async Task<int> RemoveAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        string thumbprint = parsed.GetRequiredValue(Thumbprint);
        using HttpResponseMessage answer = await server.SendAsync(
            HttpMethod.Delete, $"{Certificates}?thumbprint={Uri.EscapeDataString(thumbprint)}");
        await output.Lines.WriteLineAsync($"{thumbprint} is not trusted any more.");
        return ExitCode.Success;
    }

    private static async Task<int> RefreshAsync(ParseResult parsed, AdminClient server, VerbOutput output)
    {
        using HttpResponseMessage answer = await server.SendAsync(HttpMethod.Post, Certificates + "/refresh");
        await output.Lines.WriteLineAsync("The server has read its certificate again.");
        return ExitCode.Success;
    }

    private static byte[] ReadFile(string path)
    {
        var file = new FileInfo(path);
        return !file.Exists ? throw new IOException($"There is no file {path}.")
            : file.Length > FileBytesMax
                ? throw new IOException($"{path} has {file.Length:N0} bytes: no certificate has.")
            : File.ReadAllBytes(path);
    }

    private static string Day(JsonNode? time) => $"{time}" is { Length: >= 10 } text ? text[..10] : "never";
}
