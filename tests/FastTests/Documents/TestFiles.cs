using Raven.Storage.Files;

namespace FastTests.Documents;

/// <summary>Where test databases keep their files.</summary>
internal static class TestFiles
{
    internal static IFileSystem InMemory()
    {
        string folder = Directory.CreateTempSubdirectory("raven-documents-").FullName;
        return new RealFileSystem(folder);
    }
}
