"Everything is declared in pyproject.toml. The wheel keeps the project's files in rbkit/_home, and has no need of this one there."
from setuptools import setup
from setuptools.command.build_py import build_py

class BuildHome(build_py):
    def find_package_modules(self, package, package_dir):
        return [module for module in super().find_package_modules(package, package_dir) if module[2] != "./setup.py"]

setup(cmdclass=dict(build_py=BuildHome))
