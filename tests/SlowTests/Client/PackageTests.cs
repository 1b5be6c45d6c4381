using System.Diagnostics;
using System.IO.Compression;
using System.Reflection.Metadata;
using System.Text.Json;
using System.Xml.Linq;
using Raven.Server;
using SlowTests.Support;

namespace SlowTests.Client;

/// <summary>
/// The package of the client, used with nothing else: its content, the places of its sources by its symbols, and a
/// program that uses it.
/// </summary>
[Trait(Category.Shard, "client")]
public sealed class PackageTests : IDisposable
{
    /// <summary>A made-up place: the real one is what the git remote of a checkout says.</summary>
    private const string Host = "code.example.invalid";
    private const string Url = $"https://{Host}/somebody/raven";

    private static readonly Guid SourceLink = new("CC110556-A091-4D38-9FEC-25AB9A351A6A");
    private static readonly Guid EmbeddedSource = new("0E8A571B-6926-466E-B4AD-8AB04611F5FE");

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-package-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_client_package_names_its_source_and_can_be_used_by_a_program()
    {
        string packages = Path.Combine(_folder, "packages");
        string commit = await CommitSourcesAsync(Path.Combine(_folder, "sources"));
        await RunAsync(
            Path.Combine(_folder, "sources"), "dotnet", "pack", Path.Combine("src", "Client"), "-c", "Release",
            "--nologo", "-o", packages, "-p:ContinuousIntegrationBuild=true", "-p:RunAnalyzers=false");
        RequireContents(Assert.Single(Directory.GetFiles(packages, "Raven.Client.*.nupkg")), commit);
        RequireLinks(Assert.Single(Directory.GetFiles(packages, "Raven.Client.*.snupkg")), commit);
        await RequireUseAsync(packages);
    }

    /// <summary>The sources of the client alone, in a repository with a remote.</summary>
    /// <returns>The id of the commit.</returns>
    private static async Task<string> CommitSourcesAsync(string folder)
    {
        string[] needed =
        [
            "Directory.Build.props", "Directory.Packages.props", "BannedSymbols.txt", "global.json", ".editorconfig",
            ".gitignore", .. Directory.EnumerateFiles(
                Path.Combine(NodeProgram.Root, "src", "Client"), "*", SearchOption.AllDirectories)
                .Select(path => Path.GetRelativePath(NodeProgram.Root, path))
                .Where(path => !path.Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj")),
        ];
        foreach (string path in needed)
        {
            string target = Path.Combine(folder, path);
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(Path.Combine(NodeProgram.Root, path), target);
        }

        // How a site names a file of a commit the SDK knows of the well-known ones; for others a setting has to name
        // their software, which is no part of the project either.
        await File.WriteAllTextAsync(Path.Combine(folder, "Directory.Build.targets"), $"""
            <Project><ItemGroup><SourceLinkGitLabHost Include="{Host}" /></ItemGroup></Project>
            """);
        await RunAsync(folder, "git", "init", "--quiet");
        await RunAsync(folder, "git", "add", "--all");
        await RunAsync(
            folder, "git", "-c", "user.name=Somebody", "-c", "user.email=somebody@example.invalid", "commit", "--quiet",
            "--message=sources");
        await RunAsync(folder, "git", "remote", "add", "origin", Url + ".git");
        return (await RunAsync(folder, "git", "rev-parse", "HEAD")).Trim();
    }

    private static void RequireContents(string package, string commit)
    {
        using ZipArchive archive = ZipFile.OpenRead(package);
        Assert.NotNull(archive.GetEntry("README.md"));
        Assert.NotNull(archive.GetEntry("lib/net10.0/Raven.Client.dll"));
        using Stream docs = archive.GetEntry("lib/net10.0/Raven.Client.xml")!.Open();
        Assert.Contains(
            XDocument.Load(docs).Descendants("member"),
            member => (string?)member.Attribute("name") == "T:Raven.Client.Documents.DocumentStore");
        using Stream manifest = archive.GetEntry("Raven.Client.nuspec")!.Open();
        XElement about = XDocument.Load(manifest).Root!.Elements().Single();
        XElement Named(string name) => about.Elements().Single(element => element.Name.LocalName == name);
        Assert.Equal(("expression", "MIT"), ((string?)Named("license").Attribute("type"), Named("license").Value));
        Assert.Equal("README.md", Named("readme").Value);
        Assert.Contains("database", Named("tags").Value, StringComparison.Ordinal);
        Assert.Equal(Url + ".git", (string?)Named("repository").Attribute("url"));
        Assert.Equal(commit, (string?)Named("repository").Attribute("commit"));
        Assert.DoesNotContain(
            Named("dependencies").Descendants(), element => element.Name.LocalName == "dependency");
    }

    /// <summary>Each source that the symbols name is in that commit, or in the symbols themselves.</summary>
    private static void RequireLinks(string package, string commit)
    {
        using ZipArchive archive = ZipFile.OpenRead(package);
        using var bytes = new MemoryStream();
        using (Stream pdb = archive.GetEntry("lib/net10.0/Raven.Client.pdb")!.Open())
        {
            pdb.CopyTo(bytes);
        }

        bytes.Position = 0;
        using MetadataReaderProvider provider = MetadataReaderProvider.FromPortablePdbStream(bytes);
        MetadataReader reader = provider.GetMetadataReader();
        CustomDebugInformation[] all =
            [.. reader.CustomDebugInformation.Select(reader.GetCustomDebugInformation)];
        CustomDebugInformation link = Assert.Single(all, one => reader.GetGuid(one.Kind) == SourceLink);
        JsonElement map = JsonDocument.Parse(reader.GetBlobBytes(link.Value)).RootElement.GetProperty("documents");
        JsonProperty prefix = Assert.Single(map.EnumerateObject());
        Assert.Equal($"{Url}/-/raw/{commit}/*", prefix.Value.GetString());
        HashSet<EntityHandle> embedded =
            [.. all.Where(one => reader.GetGuid(one.Kind) == EmbeddedSource).Select(one => one.Parent)];
        string[] linked =
        [
            .. reader.Documents.Where(document => !embedded.Contains(document))
                .Select(document => reader.GetString(reader.GetDocument(document).Name)),
        ];
        Assert.Contains(prefix.Name.TrimEnd('*') + "src/Client/Documents/DocumentStore.cs", linked);
        Assert.All(linked, path => Assert.StartsWith(prefix.Name.TrimEnd('*'), path, StringComparison.Ordinal));
    }

    /// <summary>A program that knows no other place for packages than that folder.</summary>
    private async Task RequireUseAsync(string packages)
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "program")).FullName;
        await File.WriteAllTextAsync(Path.Combine(folder, "NuGet.config"), $"""
            <configuration>
              <packageSources><clear /><add key="folder" value="{packages}" /></packageSources>
            </configuration>
            """);
        await File.WriteAllTextAsync(Path.Combine(folder, "Program.csproj"), """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <UseAppHost>false</UseAppHost>
                <RestorePackagesPath>../restored</RestorePackagesPath>
              </PropertyGroup>
              <ItemGroup><PackageReference Include="Raven.Client" Version="*" /></ItemGroup>
            </Project>
            """);
        await File.WriteAllTextAsync(Path.Combine(folder, "Program.cs"), """
            using Raven.Client.Documents;
            using Raven.Client.Documents.Linq;
            using Raven.Client.Documents.Session;
            using Raven.Client.ServerWide;
            using Raven.Client.ServerWide.Operations;

            using var store = new DocumentStore { Urls = [args[0]], Database = "db" };
            store.Initialize();
            store.Maintenance.Server.Send(new CreateDatabaseOperation(new DatabaseRecord("db")));
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            var item = new Item { Name = "tea" };
            await session.StoreAsync(item);
            await session.SaveChangesAsync();
            int found = await session.Query<Item>().Where(it => it.Name == "tea").CountAsync();
            Console.WriteLine($"{item.Id} {found}");

            public sealed class Item
            {
                public string? Id { get; set; }

                public string Name { get; set; } = "";
            }
            """);
        using ServerHost server = EmbeddedServer.StartInMemory();
        Assert.Equal("items/1-A 1", (await RunAsync(folder, "dotnet", "run", "--", server.Url)).Trim());
        Assert.True(Directory.Exists(Path.Combine(_folder, "restored", "raven.client")));
    }

    /// <summary>The output of a program that succeeds.</summary>
    internal static async Task<string> RunAsync(string folder, string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"{program} {string.Join(' ', arguments)}\n{output}\n{await errors}");
        return output;
    }
}
